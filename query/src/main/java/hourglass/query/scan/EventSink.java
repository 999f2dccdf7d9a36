package hourglass.query.scan;

import hourglass.store.Columns;

/** Receives the events of a merge in order. */
public interface EventSink {
  EventSink NONE = (row, columns, i) -> Verdict.TAKEN;

  enum Verdict {
    /** The event was accepted, or does not match. */
    TAKEN,
    /** The event does not match, and does not count toward a limit. */
    LEFT_OUT,
    /** The event was not accepted, and no further ones are needed. */
    STOP,
    /** The event was not accepted, since it may be erased by now. It is to be read again. */
    AGAIN
  }

  /** Offers column {@code i} of {@code columns}, which belong to {@code row}. */
  Verdict offer(RowReader row, Columns columns, int i);
}
