package hourglass.load.canary;

import hourglass.load.canary.CanaryWindow.Sent;
import hourglass.load.command.Nanos;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps sent events by window until they are checked, and acknowledged ones until an answer shows
 * them. A window that could not be read waits until those not yet tried are read. The number of
 * events is bounded: the oldest window is evicted, and its events count as unchecked. Thread-safe.
 */
final class CanaryLedger {
  private static final long POLL_MILLIS = 20;

  /** A range of times, [fromTicks, toTicks). */
  record Range(long fromTicks, long toTicks) {}

  private final long windowNanos;
  private final long settleNanos;
  private final int eventsMax;
  private final Nanos nanos;
  private final CanaryTally tally;

  /** The windows that were not read yet, the oldest first. */
  private final Deque<CanaryWindow> closed = new ArrayDeque<>();

  /** The windows that are due but could not be read, the one tried longest ago first. */
  private final Deque<CanaryWindow> failed = new ArrayDeque<>();

  /** The acknowledged events that no answer has shown, by number, the first acknowledged first. */
  private final Map<Long, Sent> unseen = new LinkedHashMap<>();

  private @Nullable CanaryWindow open;
  private long next;
  private int awaited;
  private boolean ended;

  /**
   * Creates an empty ledger.
   *
   * @param window how long events are gathered for one check
   * @param settle how long a window rests before its check
   * @param eventsMax the most events that wait for their check
   */
  CanaryLedger(Duration window, Duration settle, int eventsMax, Nanos nanos, CanaryTally tally) {
    this.windowNanos = window.toNanos();
    this.settleNanos = settle.toNanos();
    this.eventsMax = eventsMax;
    this.nanos = nanos;
    this.tally = tally;
  }

  synchronized Sent begin(long ticks, long dueNanos) {
    CanaryWindow window = open;
    if (window == null || window.isOver(nanos.now()) || !window.isNear(ticks)) {
      close();
      window = new CanaryWindow(nanos.now(), windowNanos);
      open = window;
    }
    Sent event = window.add(next++, ticks, dueNanos);
    awaited++;
    while (awaited > eventsMax && !(closed.isEmpty() && failed.isEmpty())) {
      evict(oldest());
    }
    tally.pushes.sent.increment();
    return event;
  }

  private CanaryWindow oldest() {
    return Stream.concat(closed.stream().limit(1), failed.stream())
        .min(Comparator.comparingLong(window -> window.events.get(0).sequence))
        .orElseThrow();
  }

  private void evict(CanaryWindow window) {
    remove(window);
    forget(window);
    tally.checks.unchecked.add(window.events.size());
  }

  /** Forgets the events of a window, including those that are acknowledged later. */
  private void forget(CanaryWindow window) {
    window.forgotten = true;
    window.events.forEach(event -> unseen.remove(event.sequence));
  }

  private boolean remove(CanaryWindow window) {
    boolean there = closed.remove(window) || failed.remove(window);
    awaited -= there ? window.events.size() : 0;
    return there;
  }

  synchronized void acknowledged(Sent event, long nowNanos) {
    tally.pushes.acknowledged.increment();
    tally.push.record(nowNanos - event.dueNanos);
    event.decide(CanaryWindow.Fate.ACKNOWLEDGED, nowNanos);
    if (!event.window().forgotten) {
      unseen.put(event.sequence, event);
      notifyAll();
    }
  }

  synchronized void givenUp(Sent event) {
    tally.pushes.unacknowledged.increment();
    event.decide(CanaryWindow.Fate.UNACKNOWLEDGED, nanos.now());
  }

  /** Waits until an event is unseen, and returns the range of all such events. */
  synchronized Range awaitUnseen() throws InterruptedException {
    while (unseen.isEmpty()) {
      wait();
    }
    return Objects.requireNonNull(unseenBefore(Long.MAX_VALUE));
  }

  synchronized @Nullable Range unseenBefore(long toTicks) {
    LongSummaryStatistics ticks =
        unseen.values().stream()
            .mapToLong(event -> event.ticks)
            .filter(each -> each < toTicks)
            .summaryStatistics();
    return ticks.getCount() == 0 ? null : new Range(ticks.getMin(), ticks.getMax() + 1);
  }

  /** Notes that an answer has shown an event. Only the first time counts. */
  synchronized void seen(long sequence, long nowNanos) {
    Sent event = unseen.remove(sequence);
    if (event != null) {
      tally.visibleSinceDue.record(nowNanos - event.dueNanos);
      tally.visibleSinceAcknowledged.record(nowNanos - event.decidedNanos);
    }
  }

  /** Returns the seconds since the first unseen event was acknowledged, or 0 if there is none. */
  synchronized double oldestUnseenSeconds() {
    Iterator<Sent> all = unseen.values().iterator();
    return all.hasNext() ? Math.max(0, nanos.now() - all.next().decidedNanos) / 1e9 : 0;
  }

  private void close() {
    if (open != null) {
      closed.add(open);
      open = null;
    }
  }

  /** Ends the sending. The remaining windows are due as soon as no event is unseen. */
  synchronized void end() {
    close();
    ended = true;
  }

  /**
   * Waits until a window is due, and returns it: the oldest unread one, or else one to be read
   * again. The same window is returned until it is {@link #checked} or has {@link #failed}. Returns
   * null if there are no more.
   */
  synchronized @Nullable CanaryWindow awaitDue() throws InterruptedException {
    while (true) {
      if (open != null && open.isOver(nanos.now())) {
        close();
      }
      CanaryWindow fresh = closed.peekFirst();
      if (fresh != null && isDue(fresh)) {
        return fresh;
      }
      if (!failed.isEmpty()) {
        return failed.getFirst();
      }
      if (fresh == null && ended) {
        return null;
      }
      wait(POLL_MILLIS);
    }
  }

  private boolean isDue(CanaryWindow window) {
    long quiet = window.quietNanos(nanos.now());
    return quiet >= settleNanos || quiet >= 0 && ended && unseen.isEmpty();
  }

  /** Notes that a window could not be read, so that the other windows are tried first. */
  synchronized void failed(CanaryWindow window) {
    if (closed.remove(window) || failed.remove(window)) {
      failed.add(window);
    }
  }

  /**
   * Removes a window after its check, unless it was evicted or abandoned before.
   *
   * @param end counts the findings, only if the window had not been removed
   */
  synchronized void checked(CanaryWindow window, Runnable end) {
    if (remove(window)) {
      end.run();
    }
    forget(window);
  }

  /** Gives up the remaining checks. Their events count as unchecked, including those being read. */
  synchronized void abandon() {
    end();
    while (!(closed.isEmpty() && failed.isEmpty())) {
      evict(oldest());
    }
  }

  synchronized int awaited() {
    return awaited;
  }
}
