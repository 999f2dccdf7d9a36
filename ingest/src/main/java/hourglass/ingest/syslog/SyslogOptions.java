package hourglass.ingest.syslog;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/**
 * The settings of syslog. Immutable.
 *
 * @param listen the addresses to listen on, perhaps none
 * @param zone the zone of times without one
 * @param connectionsMax connections of all listeners together; one address may use three quarters
 *     of those that the others leave
 * @param idleTimeout the silence after which a connection is closed
 */
public record SyslogOptions(
    List<SyslogAddress> listen, ZoneId zone, int connectionsMax, Duration idleTimeout) {
  /**
   * The defaults. The idle timeout is long, since a sender loses the message that it writes into a
   * closed connection. So quiet ones stay open, and TCP's own probes find those whose peer is gone.
   */
  public static final SyslogOptions DEFAULTS =
      new SyslogOptions(List.of(), ZoneId.of("UTC"), 1_000, Duration.ofDays(1));

  public SyslogOptions {
    listen = List.copyOf(listen);
  }
}
