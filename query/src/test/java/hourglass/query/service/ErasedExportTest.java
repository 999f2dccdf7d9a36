package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.Chunk;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.fair.AnswerOutput;
import hourglass.query.http.Fill;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.testkit.OracleStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An answer under way whose client takes a rest, while events that it has read are erased. */
class ErasedExportTest {
  private static final int COLUMNS = 3_000;
  private static final int SHARDS = 3;
  private static final int CHUNK_BYTES = 4_096;

  /** The chunk after which the client rests. */
  private static final int REST = 5;

  private final OracleStore engine = new OracleStore();
  private final ErasingStore store = ErasingStore.over(engine);
  private final ByteArrayOutputStream beforeRest = new ByteArrayOutputStream();
  private final ByteArrayOutputStream afterRest = new ByteArrayOutputStream();
  private int chunks;

  @AfterEach
  void close() {
    store.close();
  }

  private Erasure allOf(int shards, List<String> blanked) {
    List<ErasedRow> rows = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      RowKey row = new RowKey(Fill.HOUR, "shop", shard);
      SliceQuery all =
          new SliceQuery(
              row, ColumnRange.of(Fill.HOUR), Order.ASCENDING, COLUMNS, Projection.NAMES);
      Columns names = engine.slice(all).toCompletableFuture().join().columns();
      rows.add(new ErasedRow(row, names.namesOnly()));
    }
    return new Erasure(new TimeUuid(Fill.HOUR.endTicks(), 0x9000_0000_0000_0000L), rows, blanked);
  }

  /** Exports all events, and erases when the client has rested. */
  private void export(Order order, String where, Erasure erasure) {
    Selection selection = new Selection(new TreeSet<>(), TimeRange.of(Fill.HOUR), "", where);
    EventQuery query = new EventQuery(selection, order, EventQuery.ALL, null);
    QueryService service =
        new QueryService(store, QueryOptions.DEFAULTS, Clock.systemUTC(), Answer.THREADS);
    Chunk chunk = new Chunk(CHUNK_BYTES);
    AnswerOutput out = Answer.output(chunk, full -> take(full, erasure));
    Answer.start(
            thread ->
                service.events(query, EventFormat.NDJSON, CsvTable.STANDARD).write(out, thread))
        .toCompletableFuture()
        .join();
    take(chunk, erasure);
  }

  private void take(Chunk full, Erasure erasure) {
    chunks++;
    (chunks > REST ? afterRest : beforeRest).write(full.bytes(), 0, full.length());
    if (chunks == REST) {
      store.erase(erasure).toCompletableFuture().join();
    }
  }

  @ParameterizedTest
  @CsvSource({"ASCENDING, ''", "DESCENDING, ''", "ASCENDING, data.n >= 0"})
  void nothingErasedIsWrittenAfterARest(Order order, String where) {
    for (int shard = 0; shard < SHARDS; shard++) {
      Fill.row(store, "shop", shard, COLUMNS, "x");
    }
    Fill.row(store, "other", COLUMNS);
    export(order, where, allOf(SHARDS, List.of()));
    assertThat(text(beforeRest)).contains("\"type\":\"shop\"");
    assertThat(text(afterRest)).doesNotContain("\"type\":\"shop\"").contains("\"type\":\"other\"");
    assertOnce(COLUMNS, "\"type\":\"other\"");
  }

  @Test
  void blankedEventsAreWrittenBlankAfterARest() {
    Fill.row(store, "shop", COLUMNS, "x");
    export(Order.ASCENDING, "", allOf(1, List.of("more")));
    assertThat(text(beforeRest)).contains("\"more\":\"x\"");
    assertThat(text(afterRest)).doesNotContain("\"more\":\"x\"").contains("\"more\":null");
    assertOnce(COLUMNS, "\"type\":\"shop\"");
  }

  /** Each event of a type is in the answer once, though it was read again. */
  private void assertOnce(int events, String type) {
    List<String> lines =
        (text(beforeRest) + text(afterRest)).lines().filter(line -> line.contains(type)).toList();
    assertThat(lines).hasSize(events);
    assertThat(new HashSet<>(lines)).hasSize(events);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
