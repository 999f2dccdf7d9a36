package hourglass.program;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * Events that follow from their numbers, so that a test can tell what the event with a number must
 * look like without keeping it. Six types, the first the most frequent; times of three hours, most
 * of them in the order of the numbers, some late, in whole milliseconds.
 *
 * @param from when these hours begin
 */
public record NumberedEvents(long seed, int fillerBytesMax, Instant from) {
  public static final Duration RANGE = Duration.ofHours(3);

  private static final Instant FROM = Instant.parse("2026-11-20T08:00:00Z");
  private static final int TYPES = 6;
  private static final int RANGE_MILLIS = (int) RANGE.toMillis();
  private static final int PACE_MILLIS = 20;
  private static final String FILLER = "the quick brown fox jumps over the lazy dog, ".repeat(50);

  public NumberedEvents(long seed, int fillerBytesMax) {
    this(seed, fillerBytesMax, FROM);
  }

  /** Query parameters that select all of them. */
  public String range() {
    return "from=" + from + "&to=" + from.plus(RANGE);
  }

  public String type(int number) {
    SplittableRandom random = random(number);
    return "type" + Math.min(random.nextInt(TYPES), random.nextInt(TYPES));
  }

  public long timeMillis(int number) {
    SplittableRandom random = random(~number);
    boolean late = random.nextInt(8) == 0;
    int at =
        late ? random.nextInt(RANGE_MILLIS) : (int) ((long) number * PACE_MILLIS % RANGE_MILLIS);
    return from.toEpochMilli() + at;
  }

  /** The event's JSON as it is sent. */
  public String payload(int number) {
    int filler = fillerBytesMax == 0 ? 0 : random(number).nextInt(fillerBytesMax);
    return "{\"n\":"
        + number
        + ",\"type\":\""
        + type(number)
        + "\",\"time\":"
        + timeMillis(number)
        + ",\"text\":\""
        + filler(filler)
        + "\"}";
  }

  private static String filler(int bytes) {
    return FILLER.substring(0, bytes);
  }

  /** The number in a payload. */
  static int number(String payload) {
    return Integer.parseInt(payload.substring(5, payload.indexOf(',')));
  }

  private SplittableRandom random(int number) {
    return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number);
  }
}
