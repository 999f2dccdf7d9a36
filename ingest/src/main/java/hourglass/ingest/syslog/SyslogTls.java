package hourglass.ingest.syslog;

import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;

/** Certificates for listeners. Thread-safe. */
public interface SyslogTls {
  void addTo(NetServerOptions options);

  /** Changed certificates are given to a server that listens. */
  void watch(NetServer server);

  /** A connection failed before its first byte. */
  void failed(Throwable failure);
}
