package hourglass.load.canary;

import java.util.Arrays;

/**
 * Events with successive numbers that are checked together, and the range of times that holds them
 * all. An event whose time is far from the window's first, as after a jump of the wall clock,
 * belongs to another window. So ranges stay narrow, and may overlap.
 *
 * <p>Guarded by the ledger. Once it is due, its events and their fates change no more.
 */
final class CanaryWindow {
  enum Fate {
    IN_FLIGHT,
    ACKNOWLEDGED,
    /** Given up: there or not. */
    UNACKNOWLEDGED
  }

  private static final int TICK_NANOS = 100;

  private final long first;
  private final long startNanos;
  private final long firstTicks;
  private final long lengthNanos;
  private long fromTicks;
  private long lastTicks;
  private long[] ticks = new long[16];
  private Fate[] fates = new Fate[16];
  private int size;
  private int inFlight;
  private long decidedNanos;
  private boolean forgotten;

  /**
   * @param first the number of its first event
   * @param firstTicks the time of that event
   * @param lengthNanos how long events are added to it
   */
  CanaryWindow(long first, long firstTicks, long startNanos, long lengthNanos) {
    this.first = first;
    this.firstTicks = firstTicks;
    this.fromTicks = firstTicks;
    this.lastTicks = firstTicks;
    this.startNanos = startNanos;
    this.decidedNanos = startNanos;
    this.lengthNanos = lengthNanos;
  }

  boolean isOver(long nowNanos) {
    return nowNanos - startNanos >= lengthNanos;
  }

  /** Whether an event of this time lies near enough. */
  boolean isNear(long eventTicks) {
    return Math.abs(eventTicks - firstTicks) <= 2 * (lengthNanos / TICK_NANOS);
  }

  void add(long eventTicks) {
    if (size == ticks.length) {
      ticks = Arrays.copyOf(ticks, 2 * size);
      fates = Arrays.copyOf(fates, 2 * size);
    }
    fromTicks = Math.min(fromTicks, eventTicks);
    lastTicks = Math.max(lastTicks, eventTicks);
    fates[size] = Fate.IN_FLIGHT;
    ticks[size++] = eventTicks;
    inFlight++;
  }

  void decide(long sequence, Fate fate, long nowNanos) {
    fates[(int) (sequence - first)] = fate;
    inFlight--;
    decidedNanos = nowNanos;
  }

  /** Since its last event was acknowledged or given up; -1 while one is on its way. */
  long quietNanos(long nowNanos) {
    return inFlight > 0 ? -1 : nowNanos - decidedNanos;
  }

  int size() {
    return size;
  }

  /** Place of a number in this window, or -1. */
  int indexOf(long sequence) {
    return sequence >= first && sequence - first < size ? (int) (sequence - first) : -1;
  }

  long sequence(int index) {
    return first + index;
  }

  long ticks(int index) {
    return ticks[index];
  }

  Fate fate(int index) {
    return fates[index];
  }

  /** Its events are no longer looked for. */
  void forget() {
    forgotten = true;
  }

  boolean isForgotten() {
    return forgotten;
  }

  /** The times of all its events are in [fromTicks, toTicks). */
  long fromTicks() {
    return fromTicks;
  }

  long toTicks() {
    return lastTicks + 1;
  }
}
