package hourglass.load;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows every event that was sent and not checked yet, window by window, and tells which window is
 * due. It holds a bounded number of events: beyond it the oldest window goes, and its events count
 * as unchecked. Thread-safe.
 */
final class CanaryLedger {
  private static final long LOOK_MILLIS = 20;

  private final long windowNanos;
  private final long settleNanos;
  private final int eventsMax;
  private final Nanos nanos;
  private final CanaryTally tally;
  private final Deque<CanaryWindow> closed = new ArrayDeque<>();
  private @Nullable CanaryWindow open;
  private long next;
  private int awaited;
  private boolean ended;

  /**
   * @param window how long events are gathered before they are checked together
   * @param settle how long a window rests before it is checked
   * @param eventsMax that wait for their check, at most
   */
  CanaryLedger(Duration window, Duration settle, int eventsMax, Nanos nanos, CanaryTally tally) {
    this.windowNanos = window.toNanos();
    this.settleNanos = settle.toNanos();
    this.eventsMax = eventsMax;
    this.nanos = nanos;
    this.tally = tally;
  }

  /** The next event, which goes out now. */
  synchronized CanaryEvent begin(long ticks, long dueNanos) {
    CanaryWindow window = open;
    if (window == null || window.isOver(nanos.now()) || !window.isNear(ticks)) {
      close();
      window = new CanaryWindow(next, ticks, nanos.now(), windowNanos);
      open = window;
    }
    window.add(ticks);
    awaited++;
    while (awaited > eventsMax && !closed.isEmpty()) {
      CanaryWindow oldest = closed.removeFirst();
      awaited -= oldest.size();
      tally.unchecked.add(oldest.size());
    }
    tally.sent.increment();
    return new CanaryEvent(next++, ticks, dueNanos, window);
  }

  synchronized void decide(CanaryEvent event, CanaryWindow.Fate fate) {
    event.window().decide(event.sequence(), fate, nanos.now());
  }

  private void close() {
    if (open != null) {
      closed.add(open);
      open = null;
    }
  }

  /** No event follows: what is left is due as soon as all that can be seen has been. */
  synchronized void end() {
    close();
    ended = true;
  }

  /**
   * Waits for the oldest window to be due; it stays the oldest until it is {@link #checked}.
   *
   * @param allSeen whether every acknowledged event has been seen, asked after the end
   * @return null when there are no more
   */
  synchronized @Nullable CanaryWindow awaitDue(BooleanSupplier allSeen)
      throws InterruptedException {
    while (true) {
      if (open != null && open.isOver(nanos.now())) {
        close();
      }
      CanaryWindow oldest = closed.peekFirst();
      if (oldest == null && ended) {
        return null;
      }
      if (oldest != null && isDue(oldest, allSeen)) {
        return oldest;
      }
      wait(LOOK_MILLIS);
    }
  }

  private boolean isDue(CanaryWindow window, BooleanSupplier allSeen) {
    long quiet = window.quietNanos(nanos.now());
    return quiet >= settleNanos || quiet >= 0 && ended && allSeen.getAsBoolean();
  }

  /**
   * Takes a window off.
   *
   * @return false if it went before, since there were too many
   */
  synchronized boolean checked(CanaryWindow window) {
    boolean oldest = closed.removeFirstOccurrence(window);
    awaited -= oldest ? window.size() : 0;
    return oldest;
  }

  /** Events that were not checked yet. */
  synchronized int awaited() {
    return awaited;
  }
}
