package hourglass.query;

import java.util.List;

/**
 * A stretch of a tail. Immutable, and shared by all tails that pass it.
 *
 * @param from where it begins
 * @param to where it ends
 * @param events between the two, as they are to be delivered
 * @param kind what it is about
 * @param more whether there is probably more to be had at once
 */
record TailStep(
    TailPosition from, TailPosition to, List<TailEvent> events, Kind kind, boolean more) {

  /** What a step is about. */
  enum Kind {
    /** Events in the final order. */
    IN_ORDER,
    /** Events that came late, in the order they came. */
    LATE,
    /** Notes of late events that are gone. */
    GAP
  }

  TailStep {
    events = List.copyOf(events);
  }

  boolean moves() {
    return !from.equals(to);
  }
}
