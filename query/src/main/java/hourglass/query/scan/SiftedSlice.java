package hourglass.query.scan;

import hourglass.query.BadParameterException;
import hourglass.store.Columns;
import hourglass.store.Slice;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A slice with the verdicts of a filter. One thread walks it while another one filters ahead.
 * Neither waits: a verdict is either unknown or right, so an outdated read is harmless.
 */
public final class SiftedSlice {
  private static final byte UNKNOWN = 0;
  private static final byte LEFT_OUT = 1;
  private static final byte TAKEN = 2;

  /** The most events of a turn: a few milliseconds for a typical expression. */
  private static final int TURN_EVENTS = 8_192;

  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The number of events between two reads of the clock. */
  private static final int CLOCK_EVERY = 16;

  /** The clock is also read after an event of at least this size. */
  private static final int LONG_BYTES = 4_096;

  private final String type;
  private final Slice slice;
  private final boolean ascending;
  private final byte[] verdicts;

  /** The next step to filter. Used by one thread at a time. */
  private int sifted;

  /** The number of steps that the walk has made, which filtering skips. */
  private final AtomicInteger reached = new AtomicInteger();

  /** Verdicts are kept only if the slice is {@code sifted} ahead. */
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
   * Whether column {@code i} passes the filter. Only the walk calls this.
   *
   * @throws BadParameterException if the expression needs too much time or memory
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

  /** Ends the walk, so that nothing more is filtered ahead. */
  public void leave() {
    reached.setOpaque(Integer.MAX_VALUE);
  }

  /**
   * Filters ahead of the walk, to the end of the slice or of a turn. Returns true if columns are
   * left.
   */
  boolean sift(EventFilter filter, BooleanSupplier gone) {
    Columns columns = slice.columns();
    long endNanos = System.nanoTime() + TURN_NANOS;
    try {
      sifted = Math.max(sifted, reached.getOpaque());
      for (int events = 1; sifted < verdicts.length && !gone.getAsBoolean(); events++) {
        int i = step(sifted);
        verdicts[i] = filter.takes(type, columns, i) ? TAKEN : LEFT_OUT;
        sifted = Math.max(sifted + 1, reached.getOpaque());
        boolean isTimed = events % CLOCK_EVERY == 0 || columns.length(i) >= LONG_BYTES;
        if (events == TURN_EVENTS || (isTimed && System.nanoTime() - endNanos >= 0)) {
          return sifted < verdicts.length;
        }
      }
    } catch (RuntimeException | StackOverflowError e) {
      // The walk may skip this event. If it does not, it fails in the same way.
    }
    return false;
  }

  /** Converts a step of the walk to a column, and back. */
  private int step(int i) {
    return ascending ? i : verdicts.length - 1 - i;
  }
}
