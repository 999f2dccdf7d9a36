package hourglass.config.gate;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The time limits of a connection, in nanoseconds.
 *
 * @param idle the limit without a request under way, or while the client neither sends nor reads
 * @param head the limit for a head, or for the beginning of HTTP/2
 * @param drop the limit for the rest of a body, which is dropped after its answer
 * @param look the time between two checks of a connection
 */
record WatchTimes(long idle, long head, long drop, long look) {
  /**
   * The longest time for a head. A head is mostly one packet; a client that needs longer only
   * occupies a connection.
   */
  private static final Duration HEAD = Duration.ofSeconds(30);

  private static final Duration DROP = Duration.ofSeconds(30);
  private static final Duration LOOK_MIN = Duration.ofMillis(100);
  private static final Duration LOOK_MAX = Duration.ofSeconds(5);

  static WatchTimes of(Duration idleTimeout) {
    long idle = idleTimeout.toNanos();
    long head = Math.min(idle, HEAD.toNanos());
    long drop = Math.min(idle, DROP.toNanos());
    long look = Math.max(LOOK_MIN.toNanos(), Math.min(LOOK_MAX.toNanos(), head / 4));
    return new WatchTimes(idle, head, drop, look);
  }

  static String seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
  }
}
