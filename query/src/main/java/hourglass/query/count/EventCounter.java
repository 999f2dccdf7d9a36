package hourglass.query.count;

import hourglass.bucketing.RowKey;
import hourglass.query.Plan;
import hourglass.query.Selection;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.RowMerge;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the distinct events of a type hour across its rows, with as few reads of payloads as
 * possible. Used by one thread.
 *
 * <p>If no other row can contain a row's names, or contains names in a range, the store counts. If
 * two rows overlap, a retry may have written one event to both, so names are merged: only the
 * shared ones if rows barely overlap. If payloads of one name differ in length, payloads are
 * merged, too, since the larger wins. A filter needs payloads.
 */
public final class EventCounter {
  private final StoreAccess access;
  private final @Nullable EventFilter filter;
  private final EventPass pass;
  private final AnswerRows answerRows;

  /** The counts that a query wants of each type hour. */
  interface Sum {
    /** Returns the question to one row. Its origin is at or before the range. */
    CountQuery question(RowKey row, ColumnRange range);

    /** Returns the memory of the answer to a question of some columns. */
    long bytes(long columns);

    /** Adds counts of a type, perhaps several of one type hour. */
    void add(String type, RowCounts counts);
  }

  /** Counts all events if {@code filter} is null. */
  public EventCounter(StoreAccess access, @Nullable EventFilter filter, AnswerRows answerRows) {
    this.access = access;
    this.answerRows = answerRows;
    this.filter = filter;
    pass = new EventPass(access, filter == null ? 1 : EventPass.PASSES, filter, answerRows);
  }

  /** Counts the events of a selection. Reads, and parts that merge rows, are made in parallel. */
  void count(Selection selection, Sum sum, QueryThread thread) {
    // Directories and counts share the fan-out of the query.
    int fanOut = filter == null ? access.options().fanOut() : EventPass.PASSES;
    DirectoryScan hours =
        new DirectoryScan(access, selection, Math.max(1, fanOut / 2), answerRows, thread);
    FanOut counts = new FanOut(() -> Math.max(1, fanOut - hours.underWay()), thread);
    hours.forEachHour(
        (hour, rows) -> {
          for (List<RowEntry> ofType : DirectoryScan.byType(rows)) {
            begin(List.copyOf(ofType), selection.range().within(hour), sum, counts);
          }
        });
    counts.finish();
  }

  /** Begins the counts of a type hour. */
  private void begin(List<RowEntry> rows, ColumnRange range, Sum sum, FanOut counts) {
    CountQuery question = sum.question(rows.get(0).row(), range);
    if (filter != null) {
      begin(
          rows,
          sum,
          counts,
          () -> access.start(thread -> merged(rows, question, Projection.COLUMNS, thread)));
      return;
    }
    UnsharedRanges.Rows split = UnsharedRanges.Rows.of(rows);
    for (RowEntry row : split.apart()) {
      begin(List.of(row), sum, counts, () -> count(row, question.of(row.row(), range)));
    }
    if (!split.others().isEmpty()) {
      begin(
          split.others(),
          sum,
          counts,
          () -> access.start(thread -> countOnce(split.others(), question, thread)));
    }
  }

  private void begin(
      List<RowEntry> rows, Sum sum, FanOut counts, Supplier<CompletionStage<RowCounts>> count) {
    String type = rows.get(0).row().type();
    long bytes = DirectoryScan.ROW_BYTES * rows.size() + sum.bytes(Plan.of(rows).columns());
    counts.begin(() -> access.account().during(bytes, count), counted -> sum.add(type, counted));
  }

  /** Counts names that may be in several rows. */
  private RowCounts countOnce(List<RowEntry> rows, CountQuery question, QueryThread thread) {
    List<CountParts.Part> parts = CountParts.of(rows, question.range());
    // The store counts rows without reading names, and rows seldom share one.
    if (CountParts.barelyOverlap(parts) && !haveDuplicates(parts, thread)) {
      return sum(rows, row -> thread.await(count(row, question.of(row.row(), question.range()))));
    }
    return sum(parts, part -> count(part, question, thread));
  }

  private static <T> RowCounts sum(List<T> addends, Function<T, RowCounts> count) {
    return addends.stream().map(count).reduce(RowCounts.NONE, EventCounter::plus);
  }

  private static RowCounts plus(RowCounts a, RowCounts b) {
    Map<Integer, Long> steps = new HashMap<>(a.columnsByStep());
    b.columnsByStep().forEach((step, columns) -> steps.merge(step, columns, Long::sum));
    return new RowCounts(a.columns() + b.columns(), a.bytes() + b.bytes(), steps);
  }

  private boolean haveDuplicates(List<CountParts.Part> parts, QueryThread thread) {
    return parts.stream()
        .filter(CountParts.Part::isShared)
        .anyMatch(
            part ->
                pass.read(part.rows(), part.range(), Projection.NAMES, EventSink.NONE, thread)
                    .sawDuplicates());
  }

  private RowCounts count(CountParts.Part part, CountQuery question, QueryThread thread) {
    RowEntry first = part.rows().get(0);
    CountQuery ofPart = question.of(first.row(), part.range());
    return part.isShared()
        ? merged(part.rows(), ofPart, Projection.NAMES, thread)
        : thread.await(count(first, ofPart));
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

  private RowCounts merged(
      List<RowEntry> rows, CountQuery question, Projection projection, QueryThread thread) {
    StepCounts counts = new StepCounts(question);
    RowMerge merge = pass.read(rows, question.range(), projection, counts, thread);
    return merge.sawUnclearDuplicates()
        ? merged(rows, question, Projection.COLUMNS, thread)
        : counts.toCounts();
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
