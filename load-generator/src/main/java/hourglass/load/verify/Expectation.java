package hourglass.load.verify;

import hourglass.bucketing.Ticks;
import hourglass.load.event.EventKeys;
import hourglass.load.event.JsonTimes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Events that must be found, and those that may be, with their range.
 *
 * @param timed false: some event had no time of its own, so times are not compared
 * @param fromTicks the range is [fromTicks, toTicks)
 */
record Expectation(
    DigestTable stored, DigestTable unsure, boolean timed, long fromTicks, long toTicks) {
  /** For different clocks, and the time of an acknowledgement. */
  private static final Duration CLOCK_SLACK = Duration.ofMinutes(1);

  /**
   * @param firstSent wall clock before the first batch
   * @param lastAnswer wall clock after the last answer
   */
  static Expectation of(SentEvents sent, Instant firstSent, Instant lastAnswer, int eventsMax)
      throws IOException {
    Collector timed = new Collector(true, eventsMax);
    sent.forEach(timed::add);
    if (!timed.untimedSeen) {
      return timed.done();
    }
    Collector untimed = new Collector(false, eventsMax);
    untimed.widen(Ticks.of(firstSent.minus(CLOCK_SLACK)));
    untimed.widen(Ticks.of(lastAnswer.plus(CLOCK_SLACK)));
    sent.forEach(untimed::add);
    return untimed.done();
  }

  boolean isEmpty() {
    return stored.size() + unsure.size() == 0;
  }

  String range() {
    return "from=%s&to=%s".formatted(Ticks.text(fromTicks), Ticks.text(toTicks));
  }

  private static final class Collector {
    private final boolean timed;
    private final EventKeys keys;
    private final DigestTable stored;
    private final DigestTable unsure;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private boolean untimedSeen;

    Collector(boolean timed, int eventsMax) {
      this.timed = timed;
      this.keys = new EventKeys(timed);
      this.stored = new DigestTable(eventsMax);
      this.unsure = new DigestTable(eventsMax);
    }

    /** False for an event without a time, if times are compared. */
    boolean add(SentEvents.Sent event) {
      if (event.ticks() != JsonTimes.NONE) {
        widen(event.ticks());
      } else if (timed) {
        untimedSeen = true;
        return false;
      }
      long key = keys.key(event.type(), event.ticks(), event.identity());
      (event.unsure() ? unsure : stored).add(key, event.payloadDigest());
      return true;
    }

    void widen(long ticks) {
      first = Math.min(first, ticks);
      last = Math.max(last, ticks);
    }

    Expectation done() {
      stored.sort();
      unsure.sort();
      return new Expectation(stored, unsure, timed, first, last + 1);
    }
  }
}
