package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bytes.ByteSearch;
import hourglass.store.ColumnRange;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FieldFilter;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.RowEntry;
import hourglass.store.TextFilter;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MatchingRowsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final FieldFilter ZEPPELIN =
      new TextFilter(new ByteSearch("zeppelin".getBytes(StandardCharsets.UTF_8), false));

  private final OracleStore store = new OracleStore();

  @AfterEach
  void close() {
    store.close();
  }

  private void write(String type, int shard, long lsb, String... payloads) {
    ColumnsBuilder columns = new ColumnsBuilder(payloads.length, 0);
    for (int i = 0; i < payloads.length; i++) {
      byte[] payload = payloads[i].getBytes(StandardCharsets.UTF_8);
      columns.add(HOUR.startTicks() + i, lsb, payload, 0, payload.length);
    }
    store.write(List.of(new Mutation(new RowKey(HOUR, type, shard), columns.build())));
  }

  private List<RowEntry> rows() {
    return store.rows(HOUR).toCompletableFuture().join();
  }

  private List<String> matching(WideColumnStore from, FieldFilter filter) {
    return MatchingRows.of(from, rows(), row -> ColumnRange.of(HOUR), filter)
        .toCompletableFuture()
        .join()
        .stream()
        .map(row -> row.row().type() + row.row().shard())
        .toList();
  }

  @Test
  void rowsWithoutAMatchAreLeftOut() {
    write("a", 0, 1L << 62, "one", "two");
    write("a", 1, 2L << 56, "a zeppelin");
    write("b", 0, 3L << 56, "three");
    assertThat(matching(store, ZEPPELIN)).containsExactly("a1");
  }

  @Test
  void aRowWithANameOfAMatchingRowStays() {
    write("a", 0, 7, "x zeppelin"); // another payload of the same event, which is larger and wins
    write("a", 1, 7, "a zeppelin", "b");
    write("a", 2, 7, "y", "z");
    write("b", 0, 7, "y", "z");
    assertThat(matching(store, ZEPPELIN)).containsExactly("a0", "a1", "a2");
  }

  @Test
  void withoutAMatchInAnyRowNoneIsReadEvenIfTheyShareNames() {
    write("a", 0, 7, "x", "y");
    write("a", 1, 7, "x", "y");
    assertThat(matching(store, ZEPPELIN)).isEmpty();
  }

  @Test
  void everyRowStaysWithoutAFilterOrAnAnswer() {
    write("a", 0, 7, "x");
    write("b", 0, 7, "y");
    assertThat(matching(store, null)).containsExactly("a0", "b0");
    ForwardingStore failing =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return store;
          }

          @Override
          public CompletionStage<List<RowEntry>> mayMatch(List<RowEntry> rows, FieldFilter filter) {
            return CompletableFuture.failedFuture(new UnavailableException("an index is damaged"));
          }
        };
    assertThat(matching(failing, ZEPPELIN)).containsExactly("a0", "b0");
  }
}
