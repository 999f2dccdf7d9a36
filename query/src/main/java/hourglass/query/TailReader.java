package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.cache.RowSource;
import hourglass.store.Arrival;
import hourglass.store.ArrivalPlace;
import hourglass.store.Arrivals;
import hourglass.store.Columns;
import hourglass.store.WideColumnStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Goes on from a position: first to the notes that came since, then to the events in order that are
 * settled since. What a step delivers follows from its two positions alone; see docs/tail.md.
 * Thread-safe.
 */
final class TailReader {
  /** An event, as notes name it. */
  record Named(String type, TimeUuid name) {}

  private final WideColumnStore store;
  private final RowSource source;
  private final QueryOptions options;
  private final TailOptions tails;
  private final Executor executor;

  TailReader(
      WideColumnStore store,
      RowSource source,
      QueryOptions options,
      TailOptions tails,
      Executor executor) {
    this.store = store;
    this.source = source;
    this.options = options;
    this.tails = tails;
    this.executor = executor;
  }

  /** Where a tail begins that wants what is to come. */
  CompletionStage<TailPosition> now() {
    return store
        .arrivals(ArrivalPlace.NEWEST, 1)
        .thenApply(found -> TailPosition.before(ticks(found), found.settledEnd()));
  }

  private static long ticks(Arrivals found) {
    return Math.max(Hour.FIRST.startTicks(), Math.min(Hour.LAST.endTicks(), found.settledTicks()));
  }

  /**
   * The step that follows a position.
   *
   * @param until where to stop, if not at the newest there is
   */
  CompletionStage<TailStep> step(TailPosition from, @Nullable TailPosition until) {
    return store
        .arrivals(from.place(), tails.stepEvents())
        .thenComposeAsync(found -> step(from, until, found), executor);
  }

  private CompletionStage<TailStep> step(
      TailPosition from, @Nullable TailPosition until, Arrivals found) {
    if (found.forgotten()) {
      return gap(from);
    }
    List<Arrival> due =
        until == null
            ? found.settled()
            : found.settled().stream()
                .filter(note -> note.place().compareTo(until.place()) <= 0)
                .toList();
    if (!due.isEmpty()) {
      return new LateWalk(store, executor, from, due, tails.stepBytes()).run();
    }
    if (from.names() > 0) {
      // In the middle of a note that those ahead have yet to come to: it is finished first.
      return CompletableFuture.completedFuture(
          new TailStep(from, from, List.of(), TailStep.Kind.LATE, false));
    }
    if (found.more() && (until == null || found.settledEnd().compareTo(until.place()) < 0)) {
      // Notes are looked for stretch by stretch, and there were none in this one.
      return CompletableFuture.completedFuture(
          new TailStep(from, from.at(found.settledEnd(), 0), List.of(), TailStep.Kind.LATE, true));
    }
    ArrivalPlace place = until == null ? found.settledEnd() : until.place();
    TailPosition start = from.at(place.compareTo(from.place()) > 0 ? place : from.place(), 0);
    long ticks = ticks(found);
    long boundTicks = until == null ? ticks : Math.min(ticks, until.name().ticks());
    return inOrder(from, start, boundTicks);
  }

  /** What was forgotten cannot be told apart from what was delivered. */
  private CompletionStage<TailStep> gap(TailPosition from) {
    return now()
        .thenApply(
            now -> new TailStep(from, from.at(now.place(), 0), List.of(), TailStep.Kind.GAP, true));
  }

  /**
   * @param start as {@code from}, behind notes that there are none of
   */
  private CompletionStage<TailStep> inOrder(
      TailPosition from, TailPosition start, long boundTicks) {
    if (boundTicks <= start.name().ticks()) {
      return CompletableFuture.completedFuture(
          new TailStep(from, start, List.of(), TailStep.Kind.IN_ORDER, false));
    }
    return new SettledWalk(store, source, options, tails, executor, start, boundTicks)
        .run()
        .thenCompose(
            walk -> noted(start, walk, new HashSet<>()).thenApply(noted -> walk.step(from, noted)));
  }

  /**
   * Of the events of a walk those with a note behind its place: they are yet to be delivered late.
   * To be asked after the walk has read: a note is there before its columns are.
   */
  private CompletionStage<Set<Named>> noted(
      TailPosition start, SettledWalk walk, Set<Named> noted) {
    return store
        .arrivals(start.place(), tails.stepEvents())
        .thenComposeAsync(
            found -> {
              found.settled().forEach(note -> add(note, walk, noted));
              found.unsettled().forEach(note -> add(note, walk, noted));
              return found.more()
                  ? noted(start.at(found.settledEnd(), 0), walk, noted)
                  : CompletableFuture.completedFuture(noted);
            },
            executor);
  }

  private static void add(Arrival note, SettledWalk walk, Set<Named> noted) {
    Columns names = note.names();
    for (int i = 0; i < names.size(); i++) {
      TimeUuid name = names.id(i);
      if (walk.passed(name, note.row().type())) {
        noted.add(new Named(note.row().type(), name));
      }
    }
  }
}
