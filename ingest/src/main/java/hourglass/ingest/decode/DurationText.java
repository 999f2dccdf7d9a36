package hourglass.ingest.decode;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Writes durations for messages as settings write them, such as {@code 10 min}. */
final class DurationText {
  private DurationText() {}

  /** Returns the duration in the largest unit that divides it, down to milliseconds. */
  static String of(Duration duration) {
    long millis = duration.toMillis();
    if (millis % TimeUnit.DAYS.toMillis(1) == 0) {
      return duration.toDays() + " d";
    }
    if (millis % TimeUnit.HOURS.toMillis(1) == 0) {
      return duration.toHours() + " h";
    }
    if (millis % TimeUnit.MINUTES.toMillis(1) == 0) {
      return duration.toMinutes() + " min";
    }
    return millis % 1_000 == 0 ? duration.toSeconds() + " s" : millis + " ms";
  }
}
