package hourglass.query.tail;

import hourglass.query.Gaps;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of a tail between two positions. Immutable, and shared by all tails that pass it.
 *
 * @param more whether the next step is probably ready at once
 * @param gaps the parts of its hours that the store does not have, of any type
 * @param erasureMark the {@link hourglass.store.WideColumnStore#erasureMark} at the time of its
 *     read
 */
record TailStep(
    TailPosition from,
    TailPosition to,
    List<TailEvent> events,
    Kind kind,
    boolean more,
    Gaps gaps,
    @Nullable Object erasureMark) {

  enum Kind {
    IN_ORDER,
    /** The step contains late events, in the order of their records. */
    LATE,
    /** The step passes late arrival records that the store no longer has. */
    GAP
  }

  TailStep {
    events = List.copyOf(events);
  }

  TailStep(
      TailPosition from,
      TailPosition to,
      List<TailEvent> events,
      Kind kind,
      boolean more,
      Gaps gaps) {
    this(from, to, events, kind, more, gaps, null);
  }

  /** Returns the same step as of some erasures. */
  TailStep asOf(Object mark) {
    return new TailStep(from, to, events, kind, more, gaps, mark);
  }

  boolean moves() {
    return !from.equals(to);
  }
}
