package hourglass.load.lab.traffic;

import hourglass.bucketing.Hour;
import hourglass.load.command.Limits;
import hourglass.load.command.LoadFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * The events to write, in the order of sending. They are fixed in advance, so that each layout gets
 * the same ones. Once built, a schedule is read-only and safe for any number of threads.
 *
 * <pre>
 *   event     0     1     2     3
 *   due       0   100   200   300   us after the start
 *   time     t0    t1    t0    t3   of the event itself
 *   original  0     1     0     3   2 is 0, sent again
 * </pre>
 *
 * <p>Events that are due before 0 are the warm-up, which is sent but not measured.
 */
public final class Schedule {
  private static final int FIRST_CAPACITY = 1 << 16;
  private static final long VARIANT = 0x8000000000000000L;
  private static final long VALUE = 0x0FFFFFFFFFFFFFFFL;

  private final List<String> types;
  private final List<TimedPhase> phases = new ArrayList<>();
  private int size;
  private long[] dueNanos = new long[FIRST_CAPACITY];
  private long[] ticks = new long[FIRST_CAPACITY];
  private int[] originals = new int[FIRST_CAPACITY];
  private int[] typeIndexes = new int[FIRST_CAPACITY];
  private int[] bytes = new int[FIRST_CAPACITY];

  /** A phase, which consists of the events that are due in [fromNanos, toNanos). */
  public record TimedPhase(String name, long fromNanos, long toNanos) {}

  /**
   * The events [from, to), which are sent together.
   *
   * @param phase the number of their phase; in the warm-up that of the first phase
   * @param dueNanos the time at which the last of its events is due
   */
  public record Window(int from, int to, int phase, long dueNanos, boolean isMeasured) {
    public int events() {
      return to - from;
    }
  }

  Schedule(List<String> types) {
    this.types = types;
  }

  void addPhase(String name, long toNanos) {
    phases.add(new TimedPhase(name, phases.isEmpty() ? 0 : lengthNanos(), toNanos));
  }

  /**
   * Returns this schedule after a warm-up of events like its first ones, which are due, and have
   * times, that much earlier.
   */
  public Schedule warmedUp(long nanos) {
    Schedule longer = new Schedule(types);
    longer.phases.addAll(phases);
    int events = firstDue(nanos);
    for (int i = 0; i < events; i++) {
      long due = dueNanos[i] - nanos;
      if (originals[i] == i) {
        longer.add(due, ticks[i] - nanos / 100, typeIndexes[i], bytes[i]);
      } else {
        longer.repeat(due, originals[i]);
      }
    }
    for (int i = 0; i < size; i++) {
      longer.append(dueNanos[i], ticks[i], typeIndexes[i], bytes[i], events + originals[i]);
    }
    return longer;
  }

  public int measured() {
    return size - firstDue(0);
  }

  /** Adds an event. {@code due} never decreases. */
  void add(long due, long eventTicks, int type, int payloadBytes) {
    append(due, eventTicks, type, payloadBytes, size);
  }

  void repeat(long due, int event) {
    append(due, ticks[event], typeIndexes[event], bytes[event], originals[event]);
  }

  private void append(long due, long eventTicks, int type, int payloadBytes, int original) {
    if (size == Limits.SCHEDULE_EVENTS_MAX) {
      throw new LoadFailure(
          "the scenario has more than %,d events, those of its warm-up included"
              .formatted(Limits.SCHEDULE_EVENTS_MAX));
    }
    if (size == dueNanos.length) {
      grow();
    }
    dueNanos[size] = due;
    ticks[size] = eventTicks;
    typeIndexes[size] = type;
    bytes[size] = payloadBytes;
    originals[size++] = original;
  }

  private void grow() {
    int capacity = Math.min(2 * size, Limits.SCHEDULE_EVENTS_MAX);
    dueNanos = Arrays.copyOf(dueNanos, capacity);
    ticks = Arrays.copyOf(ticks, capacity);
    originals = Arrays.copyOf(originals, capacity);
    typeIndexes = Arrays.copyOf(typeIndexes, capacity);
    bytes = Arrays.copyOf(bytes, capacity);
  }

  public int size() {
    return size;
  }

  /**
   * Returns the time after the start at which an event is due. It is ascending, and below 0 in the
   * warm-up.
   */
  public long dueNanos(int event) {
    return dueNanos[event];
  }

  public boolean isMeasured(int event) {
    return dueNanos[event] >= 0;
  }

  public long ticks(int event) {
    return ticks[event];
  }

  public String type(int event) {
    return types.get(typeIndexes[event]);
  }

  public int bytes(int event) {
    return bytes[event];
  }

  /** Returns the event that is repeated, or the event itself if it is not a repeat. */
  public int original(int event) {
    return originals[event];
  }

  /** Returns the lower half of the column name, which only an event and its repeats share. */
  public long lsb(int event) {
    long random = new SplittableRandom(originals[event] * TrafficPlan.GOLDEN).nextLong();
    return VARIANT | random & VALUE;
  }

  /** Returns the first event that is due at a time or later, or {@link #size} if there is none. */
  int firstDue(long nanos) {
    int found = Arrays.binarySearch(dueNanos, 0, size, nanos);
    int at = found < 0 ? -found - 1 : found;
    while (at > 0 && dueNanos[at - 1] >= nanos) {
      at--;
    }
    return at;
  }

  public List<TimedPhase> phases() {
    return phases;
  }

  /** Returns the time from the first event to the start; 0 without a warm-up. */
  public long warmUpNanos() {
    return Math.max(0, -dueNanos[0]);
  }

  public long lengthNanos() {
    return phases.get(phases.size() - 1).toNanos();
  }

  List<String> types() {
    return types;
  }

  /** Returns the hours of the events, ascending. */
  public SortedSet<Hour> hours() {
    SortedSet<Hour> hours = new TreeSet<>();
    for (int i = 0; i < size; i++) {
      hours.add(Hour.ofTicks(ticks[i]));
    }
    return hours;
  }

  /** Returns windows without gaps. The events of each are at most {@code windowNanos} apart. */
  public List<Window> windows(long windowNanos) {
    List<Window> windows = new ArrayList<>();
    int from = 0;
    int phase = 0;
    while (from < size) {
      long due = dueNanos[from];
      while (due >= phases.get(phase).toNanos()) {
        phase++;
      }
      long phaseEnd = due < 0 ? 0 : phases.get(phase).toNanos();
      int after = firstDue(Math.min(due + windowNanos, phaseEnd - 1) + 1);
      int to = Math.min(Math.min(size, from + Limits.WINDOW_EVENTS_MAX), after);
      to = Math.max(from + 1, to);
      windows.add(new Window(from, to, phase, dueNanos[to - 1], due >= 0));
      from = to;
    }
    return windows;
  }
}
