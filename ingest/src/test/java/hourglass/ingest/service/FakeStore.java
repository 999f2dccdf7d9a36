package hourglass.ingest.service;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.FirstTimes;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The oracle store, with controlled results and views of its content. */
public final class FakeStore extends ForwardingStore {
  private static final int ALL = 1_000_000;

  private volatile OracleStore oracle = new OracleStore();
  private volatile CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);
  private volatile CompletableFuture<Void> claimAnswer = CompletableFuture.completedFuture(null);
  private volatile boolean keeps = true;
  private volatile Function<String, @Nullable RuntimeException> refusal = payloads -> null;
  private volatile @Nullable RuntimeException fullOfTimes;
  private volatile int writes;
  private volatile long writtenMemory;

  @Override
  protected WideColumnStore delegate() {
    return oracle;
  }

  public void keep(boolean keep) {
    keeps = keep;
  }

  /** Sets the failure of a write by its payloads; null if it succeeds. */
  public void refuse(Function<String, @Nullable RuntimeException> why) {
    refusal = why;
  }

  /** Null: there is room again. */
  public void refuseFirstTimes(@Nullable RuntimeException full) {
    fullOfTimes = full;
  }

  public void answer(CompletableFuture<Void> next) {
    answer = next;
  }

  /** Delays the answer to each further claim, after it is published. */
  public void answerClaims(CompletableFuture<Void> next) {
    claimAnswer = next;
  }

  @Override
  public CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claims) {
    CompletableFuture<Void> next = claimAnswer;
    return oracle.claim(typeHour, claims).thenCompose(all -> next.thenApply(answered -> all));
  }

  public int writes() {
    return writes;
  }

  public long writtenMemory() {
    return writtenMemory;
  }

  public void clear() {
    oracle = new OracleStore();
  }

  @Override
  public CompletionStage<FirstTimes> firstTimes(FirstTimes found, Object client) {
    RuntimeException full = fullOfTimes;
    return full == null ? oracle.firstTimes(found, client) : CompletableFuture.failedFuture(full);
  }

  @Override
  public synchronized CompletionStage<Void> write(
      List<Mutation> mutations, FirstTimes firstTimes, Object client) {
    writes++;
    writtenMemory = mutations.stream().mapToLong(m -> m.columns().memoryBytes()).sum();
    StringBuilder payloads = new StringBuilder();
    for (Mutation mutation : mutations) {
      for (int i = 0; i < mutation.columns().size(); i++) {
        payloads.append(new String(mutation.columns().payload(i), StandardCharsets.UTF_8));
      }
    }
    RuntimeException refused = refusal.apply(payloads.toString());
    if (refused != null) {
      return CompletableFuture.failedFuture(refused);
    }
    CompletableFuture<Void> next = answer;
    return keeps && !next.isCompletedExceptionally()
        ? oracle.write(mutations, firstTimes, client).thenCompose(written -> next)
        : next;
  }

  /** Sorted by key. */
  public Map<RowKey, Columns> rows() {
    Map<RowKey, Columns> rows = new TreeMap<>();
    for (Hour hour : hours(Hour.FIRST, Hour.LAST).toCompletableFuture().join()) {
      for (RowEntry entry : rows(hour).toCompletableFuture().join()) {
        SliceQuery query =
            new SliceQuery(
                entry.row(),
                ColumnRange.of(hour),
                Order.ASCENDING,
                ALL,
                SliceQuery.Projection.COLUMNS);
        rows.put(entry.row(), slice(query).toCompletableFuture().join().columns());
      }
    }
    return rows;
  }

  /** Returns the payloads as texts, row by row in the order of names. */
  public List<String> payloads() {
    List<String> payloads = new ArrayList<>();
    for (Columns columns : rows().values()) {
      for (int i = 0; i < columns.size(); i++) {
        payloads.add(new String(columns.payload(i), StandardCharsets.UTF_8));
      }
    }
    return payloads;
  }
}
