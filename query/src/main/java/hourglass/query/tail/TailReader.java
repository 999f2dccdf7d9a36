package hourglass.query.tail;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.query.scan.StoreAccess;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Reads the step after a position: new late arrival records, or events in order that have settled
 * since. The two take turns if there is much of both. The two positions of a step alone determine
 * its events; see docs/tail.md. Thread-safe.
 */
final class TailReader {
  /** More than clocks of several processes may differ. */
  private static final long AHEAD_TICKS = 10 * Ticks.PER_SECOND;

  private final StoreAccess access;
  private final WideColumnStore store;
  private final Executor executor;
  private final TailOptions tails;
  private final NoteBounds noteBounds = new NoteBounds();

  TailReader(StoreAccess access, TailOptions tails) {
    this.access = access;
    store = access.store();
    executor = access.executor();
    this.tails = tails;
  }

  /** The position at the end of all settled events and records. */
  CompletionStage<TailPosition> now() {
    return newest().thenApply(now -> TailPosition.before(ticks(now), now.settledEnd()));
  }

  private CompletionStage<LateArrivals> newest() {
    return store
        .lateArrivals(LateArrivalPlace.NEWEST, 1)
        .thenApply(
            now -> {
              noteBounds.add(now);
              return now;
            });
  }

  private static long ticks(LateArrivals found) {
    return Math.max(Hour.FIRST.startTicks(), Math.min(Hour.LAST.endTicks(), found.settledTicks()));
  }

  /** The tick up to which events are read in order. */
  private static long boundTicks(LateArrivals found, @Nullable TailPosition until) {
    return until == null ? ticks(found) : Math.min(ticks(found), until.name().ticks());
  }

  /**
   * Reads the step after a position.
   *
   * @param until position to stop at; null: the newest
   * @param isAfterLate whether the step before was one of late arrivals, so that events in order
   *     have their turn
   */
  CompletionStage<TailStep> step(
      TailPosition from, @Nullable TailPosition until, boolean isAfterLate) {
    return store
        .lateArrivals(from.place(), tails.stepEvents())
        .thenComposeAsync(found -> step(from, until, isAfterLate, found), executor);
  }

  private CompletionStage<TailStep> step(
      TailPosition from, @Nullable TailPosition until, boolean isAfterLate, LateArrivals found) {
    if (found.truncated() || isAhead(from, found)) {
      return gap(from);
    }
    noteBounds.add(found);
    List<LateArrival> due = due(from, until, found.settled());
    if (due.isEmpty()) {
      return behindNotes(from, until, found);
    }
    return isAfterLate && isOrderDue(from, boundTicks(found, until))
        ? amidNotes(from, until, due.get(0).place())
        : new LateWalk(store, executor, from, until, due, tails.stepBytes()).run();
  }

  /** The records to read. The last one is read in part if {@code until} is in the middle of it. */
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
   * Whether at least one poll interval of events has settled, and {@link NoteBounds} bounds their
   * records. Without a bound, all records would have to be read, so the events wait for the end of
   * the records.
   */
  private boolean isOrderDue(TailPosition from, long boundTicks) {
    long ticks = from.name().ticks();
    return boundTicks - ticks >= tails.pollMillis() * Ticks.PER_MILLI
        && noteBounds.from(ticks) != null;
  }

  private CompletionStage<TailStep> amidNotes(
      TailPosition from, @Nullable TailPosition until, LateArrivalPlace next) {
    return newest()
        .thenComposeAsync(now -> inOrder(from, from, next, boundTicks(now, until), true), executor);
  }

  private CompletionStage<TailStep> behindNotes(
      TailPosition from, @Nullable TailPosition until, LateArrivals found) {
    if (from.names() > 0) {
      // In the middle of a record: the common feed is there too, or has not reached it.
      return until == null || found.settled().isEmpty()
          ? CompletableFuture.completedFuture(
              new TailStep(from, from, List.of(), TailStep.Kind.LATE, false))
          : inOrder(from, from, found.settled().get(0).place(), boundTicks(found, until), false);
    }
    if (found.more() && (until == null || found.settledEnd().compareTo(until.place()) < 0)) {
      // The store searches records range by range, and this range has none.
      return CompletableFuture.completedFuture(
          new TailStep(from, from.at(found.settledEnd(), 0), List.of(), TailStep.Kind.LATE, true));
    }
    LateArrivalPlace place = until == null ? found.settledEnd() : until.place();
    TailPosition start = from.at(place.compareTo(from.place()) > 0 ? place : from.place(), 0);
    return inOrder(from, start, start.place(), boundTicks(found, until), false);
  }

  /**
   * Whether a position is far ahead of the settled tick: from another store, or from before a clock
   * was set back.
   */
  private static boolean isAhead(TailPosition from, LateArrivals found) {
    return from.name().ticks() > ticks(found) + AHEAD_TICKS;
  }

  /**
   * Makes a step for a gap. Dropped records cannot be distinguished from delivered ones, so the
   * step moves behind all records. A position ahead of all settled events continues from the newest
   * position.
   */
  private CompletionStage<TailStep> gap(TailPosition from) {
    return now()
        .thenApply(
            now -> {
              boolean isAhead = from.name().ticks() > now.name().ticks();
              TailPosition to = isAhead ? now : from.at(now.place(), 0);
              return new TailStep(from, to, List.of(), TailStep.Kind.GAP, true);
            });
  }

  /**
   * Reads events in order.
   *
   * @param start {@code from}, moved past places without records
   * @param begun place of the record that {@code start} is in the middle of, if any
   * @param more whether records are due next
   */
  private CompletionStage<TailStep> inOrder(
      TailPosition from,
      TailPosition start,
      LateArrivalPlace begun,
      long boundTicks,
      boolean more) {
    if (boundTicks <= start.name().ticks()) {
      return CompletableFuture.completedFuture(
          new TailStep(from, start, List.of(), TailStep.Kind.IN_ORDER, more));
    }
    return new SettledWalk(access, tails, start, boundTicks)
        .run()
        .thenCompose(
            walk ->
                new NotedEvents(store, executor, tails.stepEvents(), walk, begun, start.names())
                    .read(notesFrom(start))
                    .thenApply(noted -> walk.step(from, noted, more)));
  }

  /** The place behind which all undelivered records of events after a position are. */
  private LateArrivalPlace notesFrom(TailPosition at) {
    LateArrivalPlace known = noteBounds.from(at.name().ticks());
    return known == null || known.compareTo(at.place()) < 0 ? at.place() : known;
  }
}
