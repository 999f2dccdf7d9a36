package hourglass.load.canary;

import hourglass.load.command.Nanos;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every event that was sent and not checked yet, window by window, and chooses the window
 * that is due. A window that could not be read waits behind those that were not tried yet, so that
 * one bad row holds up no other. It holds a bounded number of events: beyond it the oldest window
 * is evicted, and its events count as unchecked. Thread-safe.
 */
final class CanaryLedger {
  private static final long LOOK_MILLIS = 20;

  private final long windowNanos;
  private final long settleNanos;
  private final int eventsMax;
  private final Nanos nanos;
  private final CanaryUnseen unseen;
  private final CanaryTally tally;

  /** Not read yet, the oldest first. */
  private final Deque<CanaryWindow> closed = new ArrayDeque<>();

  /** Due, and read in vain: the one that was tried longest ago first. */
  private final Deque<CanaryWindow> failed = new ArrayDeque<>();

  private @Nullable CanaryWindow open;
  private long next;
  private int awaited;
  private boolean ended;

  /**
   * @param window how long events are gathered before they are checked together
   * @param settle how long a window rests before it is checked
   * @param eventsMax that wait for their check, at most
   * @param unseen forgets the events of evicted windows
   */
  CanaryLedger(
      Duration window,
      Duration settle,
      int eventsMax,
      Nanos nanos,
      CanaryUnseen unseen,
      CanaryTally tally) {
    this.windowNanos = window.toNanos();
    this.settleNanos = settle.toNanos();
    this.eventsMax = eventsMax;
    this.nanos = nanos;
    this.unseen = unseen;
    this.tally = tally;
  }

  /** Begins the next event, to be sent now. */
  synchronized CanaryEvent begin(long ticks, long dueNanos) {
    CanaryWindow window = open;
    if (window == null || window.isOver(nanos.now()) || !window.isNear(ticks)) {
      close();
      window = new CanaryWindow(next, ticks, nanos.now(), windowNanos);
      open = window;
    }
    window.add(ticks);
    awaited++;
    while (awaited > eventsMax && !(closed.isEmpty() && failed.isEmpty())) {
      evict(oldest());
    }
    tally.sent.increment();
    return new CanaryEvent(next++, ticks, dueNanos, window);
  }

  private CanaryWindow oldest() {
    List<CanaryWindow> candidates = new ArrayList<>(failed);
    if (!closed.isEmpty()) {
      candidates.add(closed.getFirst());
    }
    return Collections.min(candidates, Comparator.comparingLong(window -> window.sequence(0)));
  }

  private void evict(CanaryWindow window) {
    remove(window);
    unseen.forget(window);
    tally.unchecked.add(window.size());
  }

  /** Returns whether it was there. */
  private boolean remove(CanaryWindow window) {
    boolean there = closed.remove(window) || failed.remove(window);
    awaited -= there ? window.size() : 0;
    return there;
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

  /** Ends the events: the remaining windows are due as soon as no event is unseen. */
  synchronized void end() {
    close();
    ended = true;
  }

  /**
   * Waits for a window to be due: the oldest that was not read yet, or else one that is to be read
   * again. It is the same one until it is {@link #checked} or has {@link #failed}.
   *
   * @return null when there are no more
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
      wait(LOOK_MILLIS);
    }
  }

  private boolean isDue(CanaryWindow window) {
    long quiet = window.quietNanos(nanos.now());
    return quiet >= settleNanos || quiet >= 0 && ended && unseen.isEmpty();
  }

  /** The window could not be read: the others are tried first. */
  synchronized void failed(CanaryWindow window) {
    if (closed.remove(window) || failed.remove(window)) {
      failed.add(window);
    }
  }

  /**
   * Takes a window off.
   *
   * @param end counts the findings, before the window counts as checked; not called if the window
   *     was evicted or abandoned before
   */
  synchronized void checked(CanaryWindow window, Runnable end) {
    if (remove(window)) {
      end.run();
    }
  }

  /**
   * Ends the checks: the remaining events count as unchecked, and no window is {@link #checked}
   * later.
   */
  synchronized void abandon() {
    end();
    while (!closed.isEmpty()) {
      evict(closed.getFirst());
    }
    while (!failed.isEmpty()) {
      evict(failed.getFirst());
    }
  }

  /** Events that were not checked yet. */
  synchronized int awaited() {
    return awaited;
  }
}
