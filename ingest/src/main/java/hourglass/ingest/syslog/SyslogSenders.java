package hourglass.ingest.syslog;

import hourglass.access.Client;
import io.vertx.core.net.NetSocket;
import org.jspecify.annotations.Nullable;

/** Knows the senders of messages and their rights. Thread-safe. */
public interface SyslogSenders {
  /** The sender of a new connection; null: it may push nothing. */
  @Nullable Client of(NetSocket connection);

  /** The address by which a new connection counts: of IPv6 a network, since each owns many. */
  String address(NetSocket connection);

  /** The sender of a datagram, by its address; null: it may push nothing. */
  @Nullable Client of(String address);
}
