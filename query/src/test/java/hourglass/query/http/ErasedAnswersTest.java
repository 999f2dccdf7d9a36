package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.ForwardingStore;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.testkit.OracleStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are gathered in memory before they are sent, while events of them are erased. */
class ErasedAnswersTest {
  private static final RowKey ERASED = new RowKey(Fill.HOUR, "shop", 0);
  private static final String HOUR = "?hour=2026-11-20T08";
  private static final String LOKI =
      "?query={service_name=~\".%2B\"}&start="
          + Fill.HOUR.start().getEpochSecond()
          + "&end="
          + (Fill.HOUR.start().getEpochSecond() + 3_600);

  private final ErasingStore store = ErasingStore.over(new OracleStore());
  private final Erasing erasing = new Erasing();
  private final QueryServer server = new QueryServer(erasing, QueryOptions.DEFAULTS);

  /** A store in which events are erased as soon as they are read, but not before. */
  private final class Erasing extends ForwardingStore {
    private final AtomicInteger due = new AtomicInteger();

    /** Erasures that began, of which one ends with each read. */
    private final Deque<Erasure> begun = new ArrayDeque<>();

    @Override
    protected WideColumnStore delegate() {
      return store;
    }

    private <T> CompletionStage<T> erase(RowKey row, CompletionStage<T> read) {
      T found = read.toCompletableFuture().join();
      if (row.equals(ERASED) && due.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        eraseFirst();
      }
      Erasure ending = row.equals(ERASED) ? begun.poll() : null;
      if (ending != null) {
        store.erasures().rewrite(ending.id()).toCompletableFuture().join();
      }
      return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletionStage<Slice> slice(SliceQuery query) {
      return erase(query.row(), super.slice(query));
    }

    @Override
    public CompletionStage<RowCounts> count(CountQuery query) {
      return erase(query.row(), super.count(query));
    }

    @Override
    public CompletionStage<FieldValues> values(FieldQuery query) {
      return erase(query.part().row(), super.values(query));
    }
  }

  private void eraseFirst() {
    store.erase(ofFirst()).toCompletableFuture().join();
  }

  private Erasure ofFirst() {
    SliceQuery first =
        new SliceQuery(ERASED, ColumnRange.of(Fill.HOUR), Order.ASCENDING, 1, Projection.NAMES);
    Columns names = store.slice(first).toCompletableFuture().join().columns().namesOnly();
    TimeUuid id = new TimeUuid(names.first().ticks(), 0x9000_0000_0000_0000L);
    return new Erasure(id, List.of(new ErasedRow(ERASED, names)), List.of());
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/top" + HOUR + "&field=more",
        "/api/v1/fields" + HOUR + "&sample=1",
        "/api/v1/stats" + HOUR + "&field=n&by=more",
        "/api/v1/hits" + HOUR + "&step=1m&by=more",
        "/loki/api/v1/query_range{loki}",
        "/loki/api/v1/series{loki}",
        "/loki/api/v1/detected_field/more/values{loki}",
      })
  void eventsErasedWhileAnAnswerIsGatheredAreNotInIt(String path) {
    Fill.row(store, "shop", 1, "ada");
    Fill.row(store, "other", 1, "bob");
    erasing.due.set(1);
    Reply reply = server.get(path.replace("{loki}", LOKI));
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(erasing.due).hasValue(0);
    assertThat(reply.body()).doesNotContain("ada", "shop");
    assertThat(reply.body()).containsAnyOf("bob", "other");
  }

  @Test
  void anAnswerIsNotGatheredAgainWhenErasuresEnd() {
    Fill.row(store, "shop", 100, "ada");
    for (int i = 0; i < 50; i++) {
      Erasure erasure = ofFirst();
      store.erasures().begin(erasure).toCompletableFuture().join();
      erasing.begun.add(erasure);
    }
    Reply reply = server.get("/api/v1/top" + HOUR + "&field=n");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(erasing.begun).as("some ended meanwhile").isNotEmpty().hasSizeLessThan(50);
  }

  @Test
  void anAnswerThatIsNeverFreeOfErasuresIsRefused() {
    Fill.row(store, "shop", 100, "ada");
    erasing.due.set(50);
    Reply reply = server.get("/api/v1/top" + HOUR + "&field=n");
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.body()).contains("events were erased each time");
    assertThat(reply.headers()).containsEntry("Retry-After", "5");
    erasing.due.set(0);
    assertThat(server.get("/api/v1/top" + HOUR + "&field=n").status()).isEqualTo(200);
  }
}
