package hourglass.ingest.syslog;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * The names of severities and facilities, as JSON. A priority is 8 times the facility, plus the
 * severity.
 */
final class Priorities {
  private static final byte[][] SEVERITIES =
      json("emerg", "alert", "crit", "err", "warning", "notice", "info", "debug");

  /** The facilities; 12 to 15 have the names of rsyslog, since the RFCs only describe them. */
  private static final byte[][] FACILITIES =
      json(
          "kern",
          "user",
          "mail",
          "daemon",
          "auth",
          "syslog",
          "lpr",
          "news",
          "uucp",
          "cron",
          "authpriv",
          "ftp",
          "ntp",
          "audit",
          "alert",
          "clock",
          "local0",
          "local1",
          "local2",
          "local3",
          "local4",
          "local5",
          "local6",
          "local7");

  private Priorities() {}

  private static byte[][] json(String... names) {
    return Stream.of(names)
        .map(name -> ('"' + name + '"').getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }

  static byte[] severity(int priority) {
    return SEVERITIES[priority & 7];
  }

  static byte[] facility(int priority) {
    return FACILITIES[priority >> 3];
  }
}
