package hourglass.ingest.syslog;

import hourglass.access.Client;
import io.vertx.core.net.NetSocket;
import org.jspecify.annotations.Nullable;

/** Knows the senders of messages and their rights. Thread-safe. */
public interface SyslogSenders {
  /** Returns the sender of a new connection; null if it may push nothing. */
  @Nullable Client of(NetSocket connection);

  /**
   * Returns the address by which a new connection counts; of IPv6 a network, since each sender owns
   * many addresses.
   */
  String address(NetSocket connection);

  /** Returns the sender of a datagram, by its address; null if it may push nothing. */
  @Nullable Client of(String address);
}
