package hourglass.query.tail;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.query.Gaps;
import hourglass.query.scan.StoreAccess;
import hourglass.query.tail.TailStep.Kind;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the next step: new late arrival records, or settled events in order. The two take turns.
 * The two positions of a step alone determine its events; see docs/tail.md. Thread-safe.
 */
final class TailReader {
  /** A difference that is larger than that between the clocks of several processes. */
  private static final long AHEAD_TICKS = 10 * Ticks.PER_SECOND;

  private final StoreAccess access;
  private final TailOptions tails;
  private final LateArrivalBounds bounds = new LateArrivalBounds();

  TailReader(StoreAccess access, TailOptions tails) {
    this.access = access;
    this.tails = tails;
  }

  /** Returns the position at the end of all settled events and records. */
  CompletionStage<TailPosition> now() {
    return newest().thenApply(now -> TailPosition.before(ticks(now), now.settledEnd()));
  }

  private CompletionStage<LateArrivals> newest() {
    return access
        .store()
        .lateArrivals(LateArrivalPlace.NEWEST, 1)
        .thenApply(
            now -> {
              bounds.add(now);
              return now;
            });
  }

  private static long ticks(LateArrivals found) {
    return Math.max(Hour.FIRST.startTicks(), Math.min(Hour.LAST.endTicks(), found.settledTicks()));
  }

  private static long boundTicks(LateArrivals found, @Nullable TailPosition until) {
    return until == null ? ticks(found) : Math.min(ticks(found), until.name().ticks());
  }

  /**
   * Reads a step up to {@code until}; if it is null, up to the newest events. If {@code
   * isAfterLate}, events in order have their turn.
   */
  CompletionStage<TailStep> step(
      TailPosition from, @Nullable TailPosition until, boolean isAfterLate) {
    return access
        .store()
        .erasureMark()
        .thenCompose(
            mark ->
                access
                    .store()
                    .lateArrivals(from.place(), tails.stepEvents())
                    .thenComposeAsync(found -> step(from, until, isAfterLate, found), access.lane())
                    .thenApply(step -> step.asOf(mark)));
  }

  /** Returns whether nothing was erased since a step was read. */
  CompletionStage<Boolean> isCurrent(TailStep step) {
    return access.store().erasureMark().thenApply(mark -> mark == step.erasureMark());
  }

  private CompletionStage<TailStep> step(
      TailPosition from, @Nullable TailPosition until, boolean isAfterLate, LateArrivals found) {
    if (found.truncated() || isAhead(from, found)) {
      return gap(from);
    }
    bounds.add(found);
    List<LateArrival> due = due(from, until, found.settled());
    if (due.isEmpty()) {
      return afterRecords(from, until, found);
    }
    return isAfterLate && isOrderDue(from, boundTicks(found, until))
        ? betweenRecords(from, until, due.get(0).place())
        : new LateArrivalReader(access, from, until, due, tails.stepBytes()).run();
  }

  /**
   * Returns the records to read. The last one is read in part if {@code until} is in the middle of
   * it.
   */
  private static List<LateArrival> due(
      TailPosition from, @Nullable TailPosition until, List<LateArrival> settled) {
    if (until == null) {
      return settled;
    }
    if (from.place().compareTo(until.place()) > 0) {
      return List.of();
    }
    int count = 0;
    while (count < settled.size() && settled.get(count).place().compareTo(until.place()) <= 0) {
      count++;
    }
    boolean hasPart = count < settled.size() && until.names() > (count == 0 ? from.names() : 0);
    return settled.subList(0, hasPart ? count + 1 : count);
  }

  /**
   * Whether events in order may be read between records. This needs a poll interval of settled
   * events, and known bounds of their records. Otherwise all records would have to be read, so the
   * events wait for the end of the records.
   */
  private boolean isOrderDue(TailPosition from, long boundTicks) {
    long ticks = from.name().ticks();
    return boundTicks - ticks >= tails.pollMillis() * Ticks.PER_MILLI && bounds.from(ticks) != null;
  }

  private CompletionStage<TailStep> betweenRecords(
      TailPosition from, @Nullable TailPosition until, LateArrivalPlace next) {
    return newest()
        .thenComposeAsync(
            now -> inOrder(from, from, next, boundTicks(now, until), true), access.lane());
  }

  private CompletionStage<TailStep> afterRecords(
      TailPosition from, @Nullable TailPosition until, LateArrivals found) {
    if (from.names() > 0) {
      // The position is in the middle of a record. The common feed is there too, or has not reached
      // it.
      return until == null || found.settled().isEmpty()
          ? empty(from, from, Kind.LATE, false)
          : inOrder(from, from, found.settled().get(0).place(), boundTicks(found, until), false);
    }
    if (found.more() && (until == null || found.settledEnd().compareTo(until.place()) < 0)) {
      // The store searches for records range by range, and this range contains none.
      return empty(from, from.at(found.settledEnd(), 0), Kind.LATE, true);
    }
    LateArrivalPlace place = until == null ? found.settledEnd() : until.place();
    TailPosition start = from.at(place.compareTo(from.place()) > 0 ? place : from.place(), 0);
    return inOrder(from, start, start.place(), boundTicks(found, until), false);
  }

  /** Whether a position belongs to another store, or is from before a clock was set back. */
  private static boolean isAhead(TailPosition from, LateArrivals found) {
    return from.name().ticks() > ticks(found) + AHEAD_TICKS;
  }

  /**
   * Returns a gap. Dropped records cannot be distinguished from delivered ones, so the step moves
   * after all records. A position ahead of all settled events continues from the newest position.
   */
  private CompletionStage<TailStep> gap(TailPosition from) {
    return now()
        .thenCompose(
            now -> {
              boolean isAhead = from.name().ticks() > now.name().ticks();
              return empty(from, isAhead ? now : from.at(now.place(), 0), Kind.GAP, true);
            });
  }

  /**
   * Reads events in order from {@code start}. This is {@code from}, moved past places without
   * records, and maybe in the middle of the record at {@code begun}.
   */
  private CompletionStage<TailStep> inOrder(
      TailPosition from,
      TailPosition start,
      LateArrivalPlace begun,
      long boundTicks,
      boolean more) {
    return boundTicks <= start.name().ticks()
        ? empty(from, start, Kind.IN_ORDER, more)
        : new InOrderReader(access, tails, start, boundTicks).read(from, begun, bounds, more);
  }

  private static CompletionStage<TailStep> empty(
      TailPosition from, TailPosition to, Kind kind, boolean more) {
    return CompletableFuture.completedFuture(
        new TailStep(from, to, List.of(), kind, more, Gaps.NONE));
  }
}
