package hourglass.load.canary;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events with successive numbers that are checked together, and the range of their times. An event
 * whose time is far from the first one, such as after a jump of the clock, begins another window.
 * Ranges thus stay narrow, and may overlap.
 *
 * <p>Guarded by the ledger. The events of a due window no longer change.
 */
final class CanaryWindow {
  enum Fate {
    IN_FLIGHT,
    ACKNOWLEDGED,
    /** The event was given up, and may be stored or not. */
    UNACKNOWLEDGED
  }

  final class Sent {
    /** The number of the event in the run, from 0. */
    final long sequence;

    /** The time of the wall clock at the first attempt. */
    final long ticks;

    final long dueNanos;

    Fate fate = Fate.IN_FLIGHT;
    long decidedNanos;

    private Sent(long sequence, long ticks, long dueNanos) {
      this.sequence = sequence;
      this.ticks = ticks;
      this.dueNanos = dueNanos;
    }

    void decide(Fate decided, long nowNanos) {
      fate = decided;
      decidedNanos = nowNanos;
      quietSinceNanos = nowNanos;
      inFlight--;
    }

    CanaryWindow window() {
      return CanaryWindow.this;
    }
  }

  private static final int TICK_NANOS = 100;

  private final long startNanos;
  private final long lengthNanos;
  private int inFlight;
  private long quietSinceNanos;
  final List<Sent> events = new ArrayList<>();

  /** The range of times is [fromTicks, toTicks). */
  long fromTicks = Long.MAX_VALUE;

  long toTicks = Long.MIN_VALUE;

  boolean forgotten;

  CanaryWindow(long startNanos, long lengthNanos) {
    this.startNanos = startNanos;
    this.lengthNanos = lengthNanos;
  }

  boolean isOver(long nowNanos) {
    return nowNanos - startNanos >= lengthNanos;
  }

  boolean isNear(long ticks) {
    return Math.abs(ticks - events.get(0).ticks) <= 2 * (lengthNanos / TICK_NANOS);
  }

  Sent add(long sequence, long ticks, long dueNanos) {
    Sent event = new Sent(sequence, ticks, dueNanos);
    events.add(event);
    fromTicks = Math.min(fromTicks, ticks);
    toTicks = Math.max(toTicks, ticks + 1);
    inFlight++;
    return event;
  }

  /**
   * Returns the time since the last event was acknowledged or given up, or -1 while one is in
   * flight.
   */
  long quietNanos(long nowNanos) {
    return inFlight > 0 ? -1 : nowNanos - quietSinceNanos;
  }

  /** Returns the event with a number, or null if it is not in this window. */
  @Nullable Sent event(long sequence) {
    long index = sequence - events.get(0).sequence;
    return index >= 0 && index < events.size() ? events.get((int) index) : null;
  }
}
