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
 * Goes on from a position: to the notes that came since, and to the events in order that are
 * settled since; by turns, where there is much of both. What a step delivers follows from its two
 * positions alone; see docs/tail.md. Thread-safe.
 */
final class TailReader {
  /** Beyond by how much clocks of several processes may differ. */
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

  /** Where a tail begins that wants what is to come. */
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

  /** Up to which tick events are read in order. */
  private static long boundTicks(LateArrivals found, @Nullable TailPosition until) {
    return until == null ? ticks(found) : Math.min(ticks(found), until.name().ticks());
  }

  /**
   * The step that follows a position.
   *
   * @param until where to stop, if not at the newest there is
   * @param isAfterLate whether the step before was one of notes: those in order have their turn
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

  /**
   * The notes to be read; of the last one only a part where those ahead are in the middle of it.
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
   * Whether as much time is settled as goes by between two looks without notes. Where it is not
   * known which notes those events can have, all would have to be read: they wait until all are.
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
      // In the middle of a note: those ahead are there too, or have yet to come to it.
      return until == null || found.settled().isEmpty()
          ? CompletableFuture.completedFuture(
              new TailStep(from, from, List.of(), TailStep.Kind.LATE, false))
          : inOrder(from, from, found.settled().get(0).place(), boundTicks(found, until), false);
    }
    if (found.more() && (until == null || found.settledEnd().compareTo(until.place()) < 0)) {
      // Notes are looked for stretch by stretch, and there were none in this one.
      return CompletableFuture.completedFuture(
          new TailStep(from, from.at(found.settledEnd(), 0), List.of(), TailStep.Kind.LATE, true));
    }
    LateArrivalPlace place = until == null ? found.settledEnd() : until.place();
    TailPosition start = from.at(place.compareTo(from.place()) > 0 ? place : from.place(), 0);
    return inOrder(from, start, start.place(), boundTicks(found, until), false);
  }

  /** A position that this store did not give, or one that knows its clock no more. */
  private static boolean isAhead(TailPosition from, LateArrivals found) {
    return from.name().ticks() > ticks(found) + AHEAD_TICKS;
  }

  /**
   * What was forgotten cannot be told apart from what was delivered. Nor can what is behind a
   * position that is ahead of all that is settled: that one goes on from there.
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
   * @param start as {@code from}, behind notes that there are none of
   * @param begun the note that {@code start} is in the middle of, if it is
   * @param more whether there are notes to be read next
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

  /**
   * Behind which place all notes stand that are yet to be delivered of events behind a position.
   */
  private LateArrivalPlace notesFrom(TailPosition at) {
    LateArrivalPlace known = noteBounds.from(at.name().ticks());
    return known == null || known.compareTo(at.place()) < 0 ? at.place() : known;
  }
}
