package hourglass.query.scan;

import hourglass.store.Columns;

/** Receives the events of a merge in order. */
public interface EventSink {
  EventSink NONE = (row, columns, i) -> Verdict.TAKEN;

  enum Verdict {
    /** Taken, or not wanted. */
    TAKEN,
    /** To be offered again later. */
    FULL,
    /** Not taken, and no more are wanted. */
    STOP
  }

  /** Offers column {@code i} of {@code columns}, which are of {@code row}. */
  Verdict offer(RowReader row, Columns columns, int i);
}
