package hourglass.load.verify;

import hourglass.bucketing.Ticks;
import hourglass.load.event.EventKeys;
import hourglass.load.event.JsonTimes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** The events that must be found and those that may be found, with the range of their times. */
final class Expectation {
  /** The tolerance for clocks that differ, and for the time of an acknowledgement. */
  private static final Duration CLOCK_SLACK = Duration.ofMinutes(1);

  final DigestTable stored;
  final DigestTable unsure;

  /** Whether times are compared. They are not if some event had no time of its own. */
  final boolean timed;

  private final EventKeys keys;
  private long firstTicks = Long.MAX_VALUE;
  private long lastTicks = Long.MIN_VALUE;

  private Expectation(boolean timed, int eventsMax) {
    this.timed = timed;
    keys = new EventKeys(timed);
    stored = new DigestTable(eventsMax);
    unsure = new DigestTable(eventsMax);
  }

  /**
   * Computes the expectation of a run.
   *
   * @param firstSent the wall clock before the first batch
   * @param lastAnswer the wall clock after the last answer
   */
  static Expectation of(SentEvents sent, Instant firstSent, Instant lastAnswer, int eventsMax)
      throws IOException {
    Expectation expectation = new Expectation(true, eventsMax);
    if (!sent.forEach(expectation::add)) {
      expectation = new Expectation(false, eventsMax);
      expectation.widen(Ticks.of(firstSent.minus(CLOCK_SLACK)));
      expectation.widen(Ticks.of(lastAnswer.plus(CLOCK_SLACK)));
      sent.forEach(expectation::add);
    }
    expectation.stored.sort();
    expectation.unsure.sort();
    return expectation;
  }

  /** Adds an event. Returns false for an event without a time if times are compared. */
  private boolean add(SentEvents.Sent event) {
    if (event.ticks() != JsonTimes.NONE) {
      widen(event.ticks());
    } else if (timed) {
      return false;
    }
    long key = keys.key(event.type(), event.ticks(), event.identity());
    (event.unsure() ? unsure : stored).add(key, event.payloadDigest());
    return true;
  }

  private void widen(long ticks) {
    firstTicks = Math.min(firstTicks, ticks);
    lastTicks = Math.max(lastTicks, ticks);
  }

  boolean isEmpty() {
    return stored.size() + unsure.size() == 0;
  }

  boolean covers(long ticks) {
    return ticks >= firstTicks && ticks <= lastTicks;
  }

  /** Returns the range as parameters of a query. */
  String range() {
    return "from=%s&to=%s".formatted(Ticks.text(firstTicks), Ticks.text(lastTicks + 1));
  }
}
