package hourglass.load.canary;

import hourglass.bucketing.Ticks;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The events of one canary. The bytes of each event are computed from its run, number and time, so
 * they are not stored. Immutable.
 *
 * <pre>
 *   {"type":"canary","time":"2026-11-20T08:00:00.0003310Z","id":"canary-RUN-7","run":"RUN","sequence":7}
 * </pre>
 *
 * @param type a type that needs no escapes in JSON or in a URL
 * @param run 16 random hexadecimal digits
 */
record CanaryEvents(String type, String run) {
  static final long NONE = -1;

  static final String TYPE_FORM = "[A-Za-z0-9_.-]{1,100}";

  private static final Pattern ID = Pattern.compile("canary-([0-9a-f]{16})-(\\d{1,18})");

  static CanaryEvents ofNewRun(String type) {
    return new CanaryEvents(type, "%016x".formatted(ThreadLocalRandom.current().nextLong()));
  }

  String id(long sequence) {
    return "canary-" + run + "-" + sequence;
  }

  byte[] payload(long sequence, long ticks) {
    return "{\"type\":\"%s\",\"time\":\"%s\",\"id\":\"%s\",\"run\":\"%s\",\"sequence\":%d}"
        .formatted(type, Ticks.text(ticks), id(sequence), run, sequence)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the number of an event of this run, or {@link #NONE}. */
  long sequence(String id) {
    Matcher matcher = ID.matcher(id);
    return matcher.matches() && matcher.group(1).equals(run)
        ? Long.parseLong(matcher.group(2))
        : NONE;
  }

  /** Returns whether an id is that of a canary's event, of any run. */
  static boolean isOfCanary(String id) {
    return ID.matcher(id).matches();
  }
}
