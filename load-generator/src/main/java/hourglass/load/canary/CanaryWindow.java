package hourglass.load.canary;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events with successive numbers that are checked together, and the range of times that holds them
 * all. An event whose time is far from the window's first, as after a jump of the wall clock,
 * belongs to another window. So ranges stay narrow, and may overlap.
 *
 * <p>Guarded by the ledger. Once it is due, its events change no more.
 */
final class CanaryWindow {
  enum Fate {
    IN_FLIGHT,
    ACKNOWLEDGED,
    /** Given up: there or not. */
    UNACKNOWLEDGED
  }

  final class Sent {
    /** Its number in the run, from 0. */
    final long sequence;

    /** Its time, of the wall clock when it was sent first. */
    final long ticks;

    /** When the schedule meant it to be sent. */
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

  /** The times of all its events are in [fromTicks, toTicks). */
  long fromTicks = Long.MAX_VALUE;

  long toTicks = Long.MIN_VALUE;

  /** Its events are no longer looked for. */
  boolean forgotten;

  CanaryWindow(long startNanos, long lengthNanos) {
    this.startNanos = startNanos;
    this.lengthNanos = lengthNanos;
  }

  boolean isOver(long nowNanos) {
    return nowNanos - startNanos >= lengthNanos;
  }

  /** Whether an event of this time lies near enough to the first. */
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

  /** Since its last event was acknowledged or given up; -1 while one is on its way. */
  long quietNanos(long nowNanos) {
    return inFlight > 0 ? -1 : nowNanos - quietSinceNanos;
  }

  /** The event of a number, if it is of this window. */
  @Nullable Sent event(long sequence) {
    long index = sequence - events.get(0).sequence;
    return index >= 0 && index < events.size() ? events.get((int) index) : null;
  }
}
