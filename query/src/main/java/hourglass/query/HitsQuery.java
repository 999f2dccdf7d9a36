package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.store.RowCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * Which events to count in which steps.
 *
 * @param selection which; with a text or an expression, payloads are read
 * @param stepMillis the length of a step, at least 1
 * @param byType whether each type has counts of its own
 */
public record HitsQuery(Selection selection, long stepMillis, boolean byType) {

  /** Of a count of a row, with its place in a map. */
  private static final int COUNT_BYTES = 80;

  public HitsQuery {
    if (stepMillis < 1) {
      throw new IllegalArgumentException("step: " + stepMillis + " ms < 1 ms");
    }
  }

  /** Steps that begin in the range. */
  long steps() {
    long stepTicks = stepTicks();
    TimeRange range = selection.range();
    return Math.floorDiv(range.toTicks() - range.fromTicks() + stepTicks - 1, stepTicks);
  }

  private long stepTicks() {
    return Math.multiplyExact(stepMillis, Ticks.PER_MILLI);
  }

  CompletionStage<Hits> run(Counting counting, EventCounter counter, StoreAccess access) {
    Sums sums = new Sums(access.options().buckets(), access.account());
    return counting
        .forEachHour(
            selection,
            (hour, rows, callsMax) ->
                FanOut.forEach(
                    TypedRows.group(rows),
                    callsMax,
                    access,
                    typed -> count(hour, typed, counter, sums, access.account())))
        .thenApply(done -> sums.toHits());
  }

  private CompletionStage<?> count(
      Hour hour, TypedRows typed, EventCounter counter, Sums sums, AnswerBytes.Account account) {
    TimeRange range = selection.range();
    long columns = typed.rows().stream().map(Plan::of).mapToLong(Plan::columns).sum();
    long steps = Math.min(Math.min(columns, steps()), Ticks.PER_HOUR / stepTicks() + 1);
    return account
        .during(
            COUNT_BYTES * steps,
            () -> counter.count(typed.rows(), range.within(hour), range.fromTicks(), stepTicks()))
        .thenAccept(counted -> sums.add(byType ? typed.type() : "", counted));
  }

  /** The counts so far. Thread-safe. */
  private final class Sums {
    /** Of a series beside its counts: its entry, and a type that no other has. */
    private static final int SERIES_BYTES = 200;

    private final int bucketsMax;
    private final AnswerBytes.Account account;
    private final TreeMap<String, long[]> series = new TreeMap<>();

    Sums(int bucketsMax, AnswerBytes.Account account) {
      this.bucketsMax = bucketsMax;
      this.account = account;
      long[] first = counts();
      if (!byType) {
        series.put("", first);
      }
    }

    private long[] counts() {
      if ((series.size() + 1) * steps() > bucketsMax) {
        throw new BadParameterException(
            "step: %d ms makes more than %d counts over the range; want a longer step, a shorter"
                    .formatted(stepMillis, bucketsMax)
                + " range or fewer types");
      }
      account.take(SERIES_BYTES + Long.BYTES * steps());
      return new long[Math.toIntExact(steps())];
    }

    synchronized void add(String type, RowCounts more) {
      if (more.columns() > 0) {
        long[] counts = series.computeIfAbsent(type, absent -> counts());
        more.columnsByStep().forEach((step, columns) -> counts[step] += columns);
      }
    }

    synchronized Hits toHits() {
      List<Hits.Series> all = new ArrayList<>(series.size());
      series.forEach((type, counts) -> all.add(new Hits.Series(type, counts)));
      return new Hits(selection.range(), stepMillis, all);
    }
  }
}
