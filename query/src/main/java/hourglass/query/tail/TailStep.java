package hourglass.query.tail;

import java.util.List;

/**
 * A stretch of a tail. Immutable, and shared by all tails that pass it.
 *
 * @param from where it begins
 * @param to where it ends
 * @param events between the two, as they are to be delivered
 * @param kind what it is about
 * @param more whether there is probably more to be had at once
 * @param missing what the store lacks of the hours that it goes through, by its name; so events may
 *     be missing between the two
 */
record TailStep(
    TailPosition from,
    TailPosition to,
    List<TailEvent> events,
    Kind kind,
    boolean more,
    List<String> missing) {

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
    missing = List.copyOf(missing);
  }

  /** One that nothing is missing of. */
  TailStep(TailPosition from, TailPosition to, List<TailEvent> events, Kind kind, boolean more) {
    this(from, to, events, kind, more, List.of());
  }

  boolean moves() {
    return !from.equals(to);
  }
}
