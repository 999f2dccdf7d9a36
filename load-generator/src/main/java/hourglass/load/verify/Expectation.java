package hourglass.load.verify;

import hourglass.bucketing.Ticks;
import hourglass.load.event.EventKeys;
import hourglass.load.event.JsonTimes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Events that must be found, and those that may be, with the range of their times. */
final class Expectation {
  /** For different clocks, and the time of an acknowledgement. */
  private static final Duration CLOCK_SLACK = Duration.ofMinutes(1);

  final DigestTable stored;
  final DigestTable unsure;

  /** False: some event had no time of its own, so times are not compared. */
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
   * @param firstSent wall clock before the first batch
   * @param lastAnswer wall clock after the last answer
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

  /** False for an event without a time, if times are compared. */
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

  /** As parameters of a query. */
  String range() {
    return "from=%s&to=%s".formatted(Ticks.text(firstTicks), Ticks.text(lastTicks + 1));
  }
}
