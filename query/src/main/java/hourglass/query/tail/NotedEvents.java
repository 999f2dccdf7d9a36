package hourglass.query.tail;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.WideColumnStore;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Finds the events of a walk that have a record behind its late arrival place. The tail will
 * deliver them late. Used once, by one thread at a time.
 */
final class NotedEvents {
  /** An event as records identify it. */
  record Named(String type, TimeUuid name) {}

  private final WideColumnStore store;
  private final Executor executor;
  private final int namesMax;
  private final SettledWalk walk;
  private final LateArrivalPlace begun;
  private final int names;
  private final Set<Named> noted = new HashSet<>();

  /**
   * @param walk finished walk; records are read after columns, since a record exists before its
   *     columns are visible
   * @param begun place of the record that was delivered in part
   * @param names number of names of that record that were delivered; these are not due again
   */
  NotedEvents(
      WideColumnStore store,
      Executor executor,
      int namesMax,
      SettledWalk walk,
      LateArrivalPlace begun,
      int names) {
    this.store = store;
    this.executor = executor;
    this.namesMax = namesMax;
    this.walk = walk;
    this.begun = begun;
    this.names = names;
  }

  /** Reads the records behind a place, up to the newest. */
  CompletionStage<Set<Named>> read(LateArrivalPlace after) {
    return store
        .lateArrivals(after, namesMax)
        .thenComposeAsync(
            found -> {
              found.settled().forEach(this::add);
              found.unsettled().forEach(this::add);
              return found.more()
                  ? read(found.settledEnd())
                  : CompletableFuture.completedFuture(noted);
            },
            executor);
  }

  private void add(LateArrival note) {
    Columns columns = note.names();
    for (int i = note.place().equals(begun) ? names : 0; i < columns.size(); i++) {
      TimeUuid name = columns.id(i);
      if (walk.passed(name, note.row().type())) {
        noted.add(new Named(note.row().type(), name));
      }
    }
  }
}
