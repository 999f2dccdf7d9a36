package hourglass.query.scan;

import hourglass.store.Columns;

/** Takes the events of a merge in order. */
public interface EventSink {

  /** What became of an event. */
  enum Verdict {
    /** It was taken, or is not wanted: give the next one. */
    TAKEN,
    /** There is no room now: give it again later. */
    FULL,
    /** It was not taken, and nothing more is wanted. */
    STOP
  }

  /**
   * Offers column {@code i} of a pack.
   *
   * @param row the row that it is from
   */
  Verdict offer(RowReader row, Columns columns, int i);
}
