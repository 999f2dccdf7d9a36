package hourglass.load.canary;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events that were acknowledged and have not been seen in an answer yet, the first acknowledged
 * first. No more of them than the ledger holds. Thread-safe.
 */
final class CanaryUnseen {
  private record Waiting(long ticks, long dueNanos, long acknowledgedNanos) {}

  /** Times in [fromTicks, toTicks). */
  record Range(long fromTicks, long toTicks) {}

  private final Map<Long, Waiting> waiting = new LinkedHashMap<>();
  private final CanaryTally tally;

  CanaryUnseen(CanaryTally tally) {
    this.tally = tally;
  }

  /** Acknowledged; not waited for if its window is forgotten by then. */
  synchronized void add(CanaryEvent event, long acknowledgedNanos) {
    if (!event.window().isForgotten()) {
      waiting.put(
          event.sequence(), new Waiting(event.ticks(), event.dueNanos(), acknowledgedNanos));
      notifyAll();
    }
  }

  /** Waits until there is one, and returns the range of all. */
  synchronized Range awaitRange() throws InterruptedException {
    Range range = rangeBefore(Long.MAX_VALUE);
    while (range == null) {
      wait();
      range = rangeBefore(Long.MAX_VALUE);
    }
    return range;
  }

  /** The range of those before a time, or null without any. */
  synchronized @Nullable Range rangeBefore(long toTicks) {
    long from = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Waiting one : waiting.values()) {
      if (one.ticks() < toTicks) {
        from = Math.min(from, one.ticks());
        last = Math.max(last, one.ticks());
      }
    }
    return from == Long.MAX_VALUE ? null : new Range(from, last + 1);
  }

  /** An answer held this event; only the first time counts. */
  synchronized void seen(long sequence, long nowNanos) {
    Waiting one = waiting.remove(sequence);
    if (one != null) {
      tally.visibleSinceDue.record(nowNanos - one.dueNanos());
      tally.visibleSinceAcknowledged.record(nowNanos - one.acknowledgedNanos());
    }
  }

  /** Drops the events of this window, and those of it that are acknowledged later. */
  synchronized void forget(CanaryWindow window) {
    window.forget();
    for (int i = 0; i < window.size(); i++) {
      waiting.remove(window.sequence(i));
    }
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** How long the first has been acknowledged; 0 without any. */
  synchronized double oldestSeconds(long nowNanos) {
    Iterator<Waiting> first = waiting.values().iterator();
    return first.hasNext() ? Math.max(0, nowNanos - first.next().acknowledgedNanos()) / 1e9 : 0;
  }
}
