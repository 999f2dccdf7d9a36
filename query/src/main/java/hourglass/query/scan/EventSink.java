package hourglass.query.scan;

import hourglass.store.Columns;

/** Receives the events of a merge in order. */
public interface EventSink {
  EventSink NONE = (row, columns, i) -> Verdict.TAKEN;

  enum Verdict {
    /** Taken, or not wanted. */
    TAKEN,
    /** Not wanted, and not one of the events of a limit. */
    LEFT_OUT,
    /** To be offered again later. */
    FULL,
    /** Not taken, and no more are wanted. */
    STOP;

    /** Whether the next event follows. */
    boolean movesOn() {
      return this == TAKEN || this == LEFT_OUT;
    }
  }

  /** Offers column {@code i} of {@code columns}, which are of {@code row}. */
  Verdict offer(RowReader row, Columns columns, int i);
}
