package hourglass.ingest.syslog;

import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;

/** The certificates of listeners. Thread-safe. */
public interface SyslogTls {
  void addTo(NetServerOptions options);

  /** Gives changed certificates to a server that listens. */
  void watch(NetServer server);

  /** Notes that a connection failed before its first byte. */
  void failed(Throwable failure);
}
