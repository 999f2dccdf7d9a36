package hourglass.query.scan;

import hourglass.store.Columns;

/** Receives the events of a merge in order. */
public interface EventSink {
  /** Drops every event. */
  EventSink NONE = (row, columns, i) -> Verdict.TAKEN;

  /** The fate of an offered event. */
  enum Verdict {
    /** The event was taken or is not wanted; offer the next one. */
    TAKEN,
    /** The sink is full; offer the event again later. */
    FULL,
    /** The event was not taken, and no more are wanted. */
    STOP
  }

  /**
   * Offers column {@code i} of {@code columns}.
   *
   * @param row the row of the column
   */
  Verdict offer(RowReader row, Columns columns, int i);
}
