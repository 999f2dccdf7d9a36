package hourglass.query.filter;

import hourglass.query.BadParameterException;
import hourglass.store.Columns;
import hourglass.store.Slice;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A slice on its way into a merge, and what the query's filter says of its columns, as far as
 * somebody looked ahead of the walk. One thread walks while another looks ahead. Neither waits: an
 * entry is unknown or right, so it does not matter when the walk comes to see it.
 */
public final class SiftedSlice {
  private static final byte UNKNOWN = 0;
  private static final byte LEFT_OUT = 1;
  private static final byte TAKEN = 2;

  private final String type;
  private final Slice slice;
  private final boolean ascending;
  private final byte[] verdicts;

  /** Where looking ahead goes on. Touched by one thread at a time. */
  private int sifted;

  /** How many columns the walk has come to; whoever looks ahead leaves those out. */
  private final AtomicInteger reached = new AtomicInteger();

  /**
   * @param type of the row
   * @param ascending how it is walked
   * @param sifted whether somebody will look ahead
   */
  public SiftedSlice(String type, Slice slice, boolean ascending, boolean sifted) {
    this.type = type;
    this.slice = slice;
    this.ascending = ascending;
    verdicts = new byte[sifted ? slice.columns().size() : 0];
  }

  public Slice slice() {
    return slice;
  }

  /**
   * Whether the filter takes column {@code i}. To be called by the walk.
   *
   * @throws BadParameterException if the expression takes too much to tell
   */
  public boolean isTakenBy(EventFilter filter, int i) {
    if (verdicts.length > 0) {
      reached.setOpaque(step(i) + 1);
      byte verdict = verdicts[i];
      if (verdict != UNKNOWN) {
        return verdict == TAKEN;
      }
    }
    return filter.takes(type, slice.columns(), i);
  }

  /** The walk does not come here any more. */
  public void leave() {
    reached.setOpaque(Integer.MAX_VALUE);
  }

  /**
   * Looks ahead of the walk, to the end of the slice or of a turn.
   *
   * @param gone whether nobody walks any more
   * @return whether there is more to look at
   */
  boolean sift(EventFilter filter, BooleanSupplier gone) {
    Columns columns = slice.columns();
    FilterTurn turn = new FilterTurn();
    try {
      sifted = Math.max(sifted, reached.getOpaque());
      while (sifted < verdicts.length && !gone.getAsBoolean()) {
        int i = step(sifted);
        if (!turn.takes(columns.length(i))) {
          return true;
        }
        verdicts[i] = filter.takes(type, columns, i) ? TAKEN : LEFT_OUT;
        sifted = Math.max(sifted + 1, reached.getOpaque());
      }
    } catch (RuntimeException | StackOverflowError e) {
      // The walk may never come to this event; if it does, it meets this again.
    }
    return false;
  }

  /** The column of a step of the walk, and the step of a column. */
  private int step(int i) {
    return ascending ? i : verdicts.length - 1 - i;
  }
}
