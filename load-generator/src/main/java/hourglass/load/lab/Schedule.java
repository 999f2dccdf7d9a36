package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.load.command.LoadLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The events to write, in the order of sending. They are fixed in advance, so that each layout gets
 * the same ones. Immutable.
 *
 * <pre>
 *   event     0     1     2     3
 *   due       0   100   200   300   us after the start
 *   time     t0    t1    t0    t3   of the event itself
 *   original  0     1     0     3   2 is 0, sent again
 * </pre>
 *
 * @param phases at least one, one after the other
 * @param events those of the warm-up first
 * @param startTicks the time of an event that is due at 0 and not late
 */
record Schedule(List<Phase> phases, List<Event> events, long startTicks) {
  int measured() {
    return events.size() - firstDue(events, 0);
  }

  /** Returns the first event that is due at a time or later, or the size if there is none. */
  static int firstDue(List<Event> events, long nanos) {
    int from = 0;
    int to = events.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (events.get(middle).dueNanos() < nanos) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** Returns the second of a time after the start, below 0 in the warm-up. */
  static int second(long nanos) {
    return (int) Math.floorDiv(nanos, 1_000_000_000L);
  }

  /** Returns the time from the first event to the start; 0 without a warm-up. */
  long warmUpNanos() {
    return Math.max(0, -events.get(0).dueNanos());
  }

  /** Returns the time after the start at which a phase begins. It ends when the next one begins. */
  long beginNanos(int phase) {
    return phases.stream().limit(phase).mapToLong(Phase::nanos).sum();
  }

  long lengthNanos() {
    return beginNanos(phases.size());
  }

  /** Returns the hours of the events, ascending. */
  SortedSet<Hour> hours() {
    SortedSet<Hour> hours = new TreeSet<>();
    events.forEach(event -> hours.add(Hour.ofTicks(event.ticks())));
    return hours;
  }

  /**
   * Returns the events that are sent together, without gaps. Those of a window are at most {@code
   * windowNanos} apart, and all of one phase, or of the warm-up.
   */
  List<List<Event>> windows(long windowNanos) {
    List<List<Event>> windows = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= events.size(); to++) {
      if (to == events.size()
          || to - from == LoadLimits.WINDOW_EVENTS_MAX
          || !areTogether(events.get(from), events.get(to), windowNanos)) {
        windows.add(events.subList(from, to));
        from = to;
      }
    }
    return windows;
  }

  private static boolean areTogether(Event first, Event event, long windowNanos) {
    return event.dueNanos() - first.dueNanos() <= windowNanos
        && event.isMeasured() == first.isMeasured()
        && event.phase() == first.phase();
  }
}
