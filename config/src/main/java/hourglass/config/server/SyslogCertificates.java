package hourglass.config.server;

import hourglass.config.gate.tls.ServerTls;
import hourglass.ingest.syslog.SyslogTls;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;

/** Lets syslog use the certificates of the HTTP listener. */
record SyslogCertificates(ServerTls tls) implements SyslogTls {
  @Override
  public void addTo(NetServerOptions options) {
    tls.addTo(options);
  }

  @Override
  public void watch(NetServer server) {
    tls.watch(server);
  }

  @Override
  public void failed(Throwable failure) {
    tls.handshakes().accept(failure);
  }
}
