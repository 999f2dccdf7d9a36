package hourglass.query.count;

import hourglass.query.Selection;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.RowReader;
import hourglass.query.scan.StoreAccess;
import hourglass.query.scan.UnsharedRanges;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts the distinct events of a type hour across its rows, with as few reads of payloads as
 * possible. Thread-safe.
 *
 * <p>If no other row can contain a row's names, or contains names in a range, the store counts. If
 * two rows overlap, a retry may have written one event to both, so names are merged: only the
 * shared ones if rows barely overlap. If payloads of one name differ in length, payloads are
 * merged, too, since the larger wins. A filter needs payloads.
 */
public final class EventCounter {
  private final StoreAccess access;
  private final DirectoryScan hours;
  private final @Nullable EventFilter filter;
  private final EventPass pass;
  private final AnswerRows answerRows;

  /** Counts all events if {@code filter} is null. */
  public EventCounter(StoreAccess access, @Nullable EventFilter filter, AnswerRows answerRows) {
    this.access = access;
    this.answerRows = answerRows;
    this.filter = filter;
    pass = new EventPass(access, filter == null ? 1 : EventPass.PASSES, filter, answerRows);
    int fanOut = filter == null ? access.options().fanOut() : EventPass.PASSES;
    hours = new DirectoryScan(access, fanOut, answerRows);
  }

  CompletionStage<Void> forEachType(
      Selection selection, Function<List<RowEntry>, CompletionStage<?>> visit) {
    return hours.forEachType(selection, visit);
  }

  /**
   * Counts events in steps. The rows, at least one, are of one type hour. The origin is at or
   * before the range.
   */
  CompletionStage<RowCounts> count(
      List<RowEntry> rows, ColumnRange range, long originTicks, long stepTicks) {
    CountQuery question = new CountQuery(rows.get(0).row(), range, originTicks, stepTicks);
    if (filter != null) {
      return merged(rows, question, Projection.COLUMNS);
    }
    UnsharedRanges.Rows split = UnsharedRanges.Rows.of(rows);
    return sum(split.apart(), row -> count(row, question.of(row.row(), range)))
        .thenCompose(
            apart -> countOnce(split.others(), question).thenApply(others -> plus(apart, others)));
  }

  /** Counts names that may be in several rows. */
  private CompletionStage<RowCounts> countOnce(List<RowEntry> rows, CountQuery question) {
    ColumnRange range = question.range();
    List<CountParts.Part> parts = CountParts.of(rows, range);
    if (!CountParts.barelyOverlap(parts)) {
      return sum(parts, part -> count(part, question));
    }
    // The store counts rows without reading names, and rows seldom share one.
    return haveDuplicates(parts)
        .thenCompose(
            duplicates ->
                duplicates
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
                    .thenAccept(more -> sum.accumulateAndGet(more, EventCounter::plus)))
        .thenApply(done -> sum.get());
  }

  private static RowCounts plus(RowCounts a, RowCounts b) {
    Map<Integer, Long> steps = new HashMap<>(a.columnsByStep());
    b.columnsByStep().forEach((step, columns) -> steps.merge(step, columns, Long::sum));
    return new RowCounts(a.columns() + b.columns(), a.bytes() + b.bytes(), steps);
  }

  private CompletionStage<Boolean> haveDuplicates(List<CountParts.Part> parts) {
    AtomicBoolean duplicates = new AtomicBoolean();
    return FanOut.forEach(
            parts.stream().filter(CountParts.Part::isShared).toList(),
            1,
            access,
            part ->
                !duplicates.get()
                    ? pass.read(part.rows(), part.range(), Projection.NAMES, EventSink.NONE)
                        .thenAccept(merge -> duplicates.set(merge.sawDuplicates()))
                    : CompletableFuture.completedFuture(null))
        .thenApply(done -> duplicates.get());
  }

  private CompletionStage<RowCounts> count(CountParts.Part part, CountQuery question) {
    CountQuery of = question.of(part.rows().get(0).row(), part.range());
    return part.isShared()
        ? merged(part.rows(), of, Projection.NAMES)
        : count(part.rows().get(0), of);
  }

  /** Counts one row; zero if the row is missing from the answer. */
  private CompletionStage<RowCounts> count(RowEntry row, CountQuery question) {
    if (answerRows.isMissing(row.row())) {
      return CompletableFuture.completedFuture(RowCounts.NONE);
    }
    return access
        .source()
        .count(row, question)
        .exceptionallyCompose(
            failure ->
                answerRows.mayMiss(row.row(), failure)
                    ? CompletableFuture.completedFuture(RowCounts.NONE)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletionStage<RowCounts> merged(
      List<RowEntry> rows, CountQuery question, Projection projection) {
    StepCounts counts = new StepCounts(question);
    return pass.read(rows, question.range(), projection, counts)
        .thenCompose(
            merge ->
                merge.sawUnclearDuplicates()
                    ? merged(rows, question, Projection.COLUMNS)
                    : CompletableFuture.completedFuture(counts.toCounts()));
  }

  /** Counts events by step. They arrive in ascending order, so those of a step are adjacent. */
  private static final class StepCounts implements EventSink {
    private final CountQuery question;
    private final Map<Integer, Long> columnsByStep = new HashMap<>();
    private long columns;
    private long bytes;
    private long stepEndTicks = Long.MIN_VALUE;
    private int step;
    private long inStep;

    private StepCounts(CountQuery question) {
      this.question = question;
    }

    @Override
    public Verdict offer(RowReader row, Columns events, int i) {
      long ticks = events.ticks(i);
      if (ticks >= stepEndTicks) {
        endStep();
        step = question.step(ticks);
        stepEndTicks = question.originTicks() + (step + 1L) * question.stepTicks();
      }
      inStep++;
      columns++;
      bytes += events.length(i);
      return Verdict.TAKEN;
    }

    private void endStep() {
      if (inStep > 0) {
        columnsByStep.merge(step, inStep, Long::sum);
        inStep = 0;
      }
    }

    private RowCounts toCounts() {
      endStep();
      return new RowCounts(columns, bytes, columnsByStep);
    }
  }
}
