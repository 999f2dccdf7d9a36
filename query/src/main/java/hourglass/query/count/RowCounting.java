package hourglass.query.count;

import hourglass.query.QueryOptions;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.scan.EventPump;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.MissingRows;
import hourglass.query.scan.RowMerge;
import hourglass.query.scan.RowReaders;
import hourglass.query.scan.SliceWindow;
import hourglass.query.scan.StoreAccess;
import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.RowSource;
import hourglass.store.SliceQuery.Projection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts events with as few reads of payloads as possible. Thread-safe.
 *
 * <p>If only one row has names in a range, the store counts. If the ranges of two rows overlap, a
 * retry may have put one event into both, so their names are merged. If rows barely overlap, only
 * the shared names are merged, to see that no event is in both. If two rows share a name with
 * payloads of different length, payloads are merged too, since they decide which payload wins.
 */
public final class RowCounting implements EventCounter {
  private final StoreAccess access;
  private final RowSource source;
  private final QueryOptions options;
  private final AnswerBytes.Account account;
  private final @Nullable MissingRows missing;

  /**
   * @param missing records unreadable rows; null: an unreadable row fails the count
   */
  public RowCounting(StoreAccess access, @Nullable MissingRows missing) {
    this.access = access;
    source = access.source();
    options = access.options();
    account = access.account();
    this.missing = missing;
  }

  @Override
  public CompletionStage<RowCounts> count(
      List<RowEntry> rows, ColumnRange range, long originTicks, long stepTicks) {
    CountQuery question = new CountQuery(rows.get(0).row(), range, originTicks, stepTicks);
    if (rows.size() == 1) {
      return count(rows.get(0), question);
    }
    List<CountParts.Part> parts = CountParts.of(rows, range);
    if (!CountParts.barelyOverlap(parts)) {
      return sum(parts, part -> count(part, question));
    }
    // The store counts rows without reading names, and rows seldom share one.
    return repeats(parts)
        .thenCompose(
            repeats ->
                repeats
                    ? sum(parts, part -> count(part, question))
                    : sum(rows, row -> count(row, question.of(row.row(), range))));
  }

  private <T> CompletionStage<RowCounts> sum(
      List<T> addends, Function<T, CompletionStage<RowCounts>> count) {
    AtomicReference<RowCounts> sum = new AtomicReference<>(RowCounts.NONE);
    return FanOut.forEach(
            addends,
            1,
            access,
            addend ->
                count
                    .apply(addend)
                    .thenAccept(more -> sum.accumulateAndGet(more, RowCounting::plus)))
        .thenApply(done -> sum.get());
  }

  /** Whether two rows share a name. */
  private CompletionStage<Boolean> repeats(List<CountParts.Part> parts) {
    AtomicBoolean repeats = new AtomicBoolean();
    return FanOut.forEach(
            parts,
            1,
            access,
            part ->
                part.isShared() && !repeats.get()
                    ? repeats(part).thenAccept(repeats::set)
                    : CompletableFuture.completedFuture(null))
        .thenApply(done -> repeats.get());
  }

  private CompletionStage<Boolean> repeats(CountParts.Part part) {
    EventSink none = (row, pack, i) -> EventSink.Verdict.TAKEN;
    return drain(part.rows(), part.range(), Projection.NAMES, none)
        .thenApply(RowMerge::sawDuplicates);
  }

  private CompletionStage<RowCounts> count(CountParts.Part part, CountQuery question) {
    CountQuery of = question.of(part.rows().get(0).row(), part.range());
    return part.isShared()
        ? merged(part.rows(), of, Projection.NAMES)
        : count(part.rows().get(0), of);
  }

  /** The count of one row; zero if the row is missing from the answer. */
  private CompletionStage<RowCounts> count(RowEntry row, CountQuery question) {
    if (missing != null && missing.has(row.row())) {
      return CompletableFuture.completedFuture(RowCounts.NONE);
    }
    return source.count(row, question).exceptionally(failure -> without(row, failure));
  }

  private RowCounts without(RowEntry row, Throwable failure) {
    CompletionException failed =
        failure instanceof CompletionException known ? known : new CompletionException(failure);
    if (missing == null || !missing.takes(row.row(), failed)) {
      throw failed;
    }
    return RowCounts.NONE;
  }

  private static RowCounts plus(RowCounts a, RowCounts b) {
    Map<Integer, Long> steps = new HashMap<>(a.columnsByStep());
    b.columnsByStep().forEach((step, columns) -> steps.merge(step, columns, Long::sum));
    return new RowCounts(a.columns() + b.columns(), a.bytes() + b.bytes(), steps);
  }

  private CompletionStage<RowCounts> merged(
      List<RowEntry> rows, CountQuery question, Projection projection) {
    StepSums counts = new StepSums(question);
    return drain(rows, question.range(), projection, counts)
        .thenCompose(
            merge ->
                merge.sawUnclearDuplicates()
                    ? merged(rows, question, Projection.COLUMNS)
                    : CompletableFuture.completedFuture(counts.toCounts()));
  }

  /** Delivers the events of some rows to a sink; completes with the finished merge. */
  private CompletionStage<RowMerge> drain(
      List<RowEntry> rows, ColumnRange range, Projection projection, EventSink sink) {
    SliceWindow window = new SliceWindow(source, null, options.fanOut());
    RowReaders readers = new RowReaders(options, Order.ASCENDING, projection, Long.MAX_VALUE);
    return account.during(
        readers.heldBytes(rows),
        () -> {
          RowMerge merge = readers.merge(rows, row -> range, window, missing);
          return EventPump.of(merge, sink, access).thenApply(done -> merge);
        });
  }
}
