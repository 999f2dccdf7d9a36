package hourglass.ingest;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.Mutation;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;

/** Takes writes, and lets a test say how they end. Reads nothing back but what a test asks. */
public final class FakeStore implements WideColumnStore {
  private final Map<RowKey, Columns> rows = new ConcurrentSkipListMap<>();
  private volatile CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);
  private volatile boolean keeps = true;
  private volatile int writes;

  /** Whether what is written is kept. */
  public void keep(boolean keep) {
    keeps = keep;
  }

  /** What writes from now on complete with. */
  public void answer(CompletableFuture<Void> next) {
    answer = next;
  }

  /** The writes so far. */
  public int writes() {
    return writes;
  }

  @Override
  public synchronized CompletionStage<Void> write(List<Mutation> mutations) {
    writes++;
    if (keeps && !answer.isCompletedExceptionally()) {
      for (Mutation mutation : mutations) {
        rows.merge(mutation.row(), mutation.columns(), (a, b) -> Columns.merge(List.of(a, b)));
      }
    }
    return answer;
  }

  /** Forgets all rows. */
  public void clear() {
    rows.clear();
  }

  /** The rows, sorted by key. */
  public Map<RowKey, Columns> rows() {
    return new TreeMap<>(rows);
  }

  /** All payloads as text, row by row in the order of names. */
  public List<String> payloads() {
    List<String> payloads = new ArrayList<>();
    for (Columns columns : rows.values()) {
      for (int i = 0; i < columns.size(); i++) {
        payloads.add(new String(columns.payload(i), StandardCharsets.UTF_8));
      }
    }
    return payloads;
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    throw new UnsupportedOperationException("ingest never reads");
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    throw new UnsupportedOperationException("ingest never reads");
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    throw new UnsupportedOperationException("ingest never reads");
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    throw new UnsupportedOperationException("ingest never reads");
  }

  @Override
  public CompletionStage<Void> drop(Hour hour) {
    throw new UnsupportedOperationException("ingest never drops");
  }

  @Override
  public CompletionStage<Void> check() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {}
}
