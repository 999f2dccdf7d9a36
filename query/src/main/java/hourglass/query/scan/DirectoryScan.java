package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.store.RowEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Visits the directories of a range in parallel. All calls, including those for rows, stay within
 * the fan-out of a query. Hours that exceed the shared memory are visited one at a time, after the
 * others. Thread-safe.
 */
public final class DirectoryScan {
  /** The approximate memory of a row in a directory and in lists. */
  public static final long ROW_BYTES = 160;

  private static final long PARALLEL_BYTES = 2 << 20;

  private final StoreAccess access;
  private final int fanOut;
  private final AnswerRows answerRows;

  /**
   * A visit of one hour. It receives the hour, its wanted rows sorted by key, and the most calls
   * that it may make in parallel.
   */
  @FunctionalInterface
  public interface HourVisit<R> {
    CompletionStage<R> visit(Hour hour, List<RowEntry> rows, int callsMax);
  }

  public DirectoryScan(StoreAccess access, int fanOut, AnswerRows answerRows) {
    this.access = access;
    this.answerRows = answerRows;
    this.fanOut = fanOut;
  }

  public <R> CompletionStage<Void> forEachHour(Selection selection, HourVisit<R> visit) {
    return hours(selection, hours -> new Visits<>(selection, visit).all(hours));
  }

  /**
   * Visits each hour like {@link #forEachHour}, and passes the results on in the order of the
   * hours, one at a time. No hour is put off, so as many directories are in memory as the fan-out
   * allows calls.
   */
  public <R> CompletionStage<Void> forEachHourInOrder(
      Selection selection, HourVisit<R> visit, Consumer<R> results) {
    return hours(selection, hours -> new Visits<>(selection, visit).inOrder(hours, results));
  }

  private CompletionStage<Void> hours(
      Selection selection, Function<List<Hour>, CompletionStage<Void>> visits) {
    TimeRange range = selection.range();
    return range.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : access
            .store()
            .hours(range.firstHour(), range.lastHour())
            .thenComposeAsync(visits, access.executor());
  }

  public CompletionStage<Void> forEachType(
      Selection selection, Function<List<RowEntry>, CompletionStage<?>> visit) {
    return forEachHour(
        selection, (hour, rows, callsMax) -> FanOut.forEach(byType(rows), callsMax, access, visit));
  }

  /**
   * Groups the rows of one hour, which are sorted by key, by type. Each group is found during the
   * iteration.
   */
  public static Iterable<List<RowEntry>> byType(List<RowEntry> rows) {
    return () ->
        IntStream.iterate(0, from -> from < rows.size(), from -> endOfType(rows, from))
            .mapToObj(from -> rows.subList(from, endOfType(rows, from)))
            .iterator();
  }

  private static int endOfType(List<RowEntry> rows, int from) {
    String type = rows.get(from).row().type();
    int end = from + 1;
    while (end < rows.size() && rows.get(end).row().type().equals(type)) {
      end++;
    }
    return end;
  }

  private final class Visits<R> {
    private final Selection selection;
    private final HourVisit<R> visit;
    private final Queue<Hour> later = new ConcurrentLinkedQueue<>();

    /** The memory of the directories in parallel visits, in bytes. Guarded by this. */
    private long held;

    Visits(Selection selection, HourVisit<R> visit) {
      this.selection = selection;
      this.visit = visit;
    }

    CompletionStage<Void> all(List<Hour> hours) {
      int hoursAtOnce = hoursAtOnce(hours);
      int callsAnHour = Math.max(1, fanOut / hoursAtOnce);
      return FanOut.forEach(hours, hoursAtOnce, access, hour -> one(hour, callsAnHour, true))
          .thenCompose(
              done ->
                  FanOut.forEach(
                      new ArrayList<>(later), 1, access, hour -> one(hour, fanOut, false)));
    }

    CompletionStage<Void> inOrder(List<Hour> hours, Consumer<R> results) {
      int hoursAtOnce = hoursAtOnce(hours);
      int callsAnHour = fanOut / hoursAtOnce;
      return FanOut.forEachInOrder(
          hours,
          hoursAtOnce,
          access,
          hour ->
              rows(hour).thenComposeAsync(rows -> now(hour, rows, callsAnHour), access.executor()),
          results);
    }

    private int hoursAtOnce(List<Hour> hours) {
      return Math.max(1, Math.min(hours.size(), fanOut));
    }

    private CompletionStage<?> one(Hour hour, int callsMax, boolean inParallel) {
      return rows(hour)
          .thenComposeAsync(
              rows -> inParallel ? nowOrLater(hour, rows, callsMax) : now(hour, rows, callsMax),
              access.executor());
    }

    private CompletionStage<List<RowEntry>> rows(Hour hour) {
      return access.store().rows(hour).thenApply(selection::of);
    }

    private CompletionStage<R> now(Hour hour, List<RowEntry> rows, int callsMax) {
      return access
          .account()
          .during(ROW_BYTES * rows.size(), () -> visitRows(hour, rows, callsMax));
    }

    private CompletionStage<R> nowOrLater(Hour hour, List<RowEntry> rows, int callsMax) {
      long bytes = ROW_BYTES * rows.size();
      if (!hold(bytes)) {
        later.add(hour); // its directory is read again
        return CompletableFuture.completedFuture(null);
      }
      return visitRows(hour, rows, callsMax).whenComplete((done, failure) -> release(bytes));
    }

    private CompletionStage<R> visitRows(Hour hour, List<RowEntry> rows, int callsMax) {
      answerRows.add(rows);
      return visit.visit(hour, rows, callsMax);
    }

    private synchronized boolean hold(long bytes) {
      if (held + bytes > PARALLEL_BYTES || !access.account().tryTake(bytes)) {
        return false;
      }
      held += bytes;
      return true;
    }

    private synchronized void release(long bytes) {
      held -= bytes;
      access.account().give(bytes);
    }
  }
}
