package hourglass.ingest.syslog;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/**
 * How syslog is received. Immutable.
 *
 * @param listen empty: nowhere
 * @param zone of times without one
 * @param connectionsMax of all listeners together; one address may have three quarters of what the
 *     others leave
 * @param idleTimeout closes a connection that has sent nothing for so long
 */
public record SyslogOptions(
    List<SyslogAddress> listen, ZoneId zone, int connectionsMax, Duration idleTimeout) {
  /**
   * Idle: a sender loses the message that it writes into a closed connection, so quiet ones stay
   * open, and TCP's own probes find those whose peer is gone.
   */
  public static final SyslogOptions DEFAULTS =
      new SyslogOptions(List.of(), ZoneId.of("UTC"), 1_000, Duration.ofDays(1));

  public SyslogOptions {
    listen = List.copyOf(listen);
  }
}
