package hourglass.config.gate.tls;

import io.netty.handler.ssl.SslProvider;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.spi.tls.DefaultSslContextFactory;
import io.vertx.core.spi.tls.SslContextFactory;

/**
 * Negotiates a protocol by ALPN, but conceals this from Vert.x, which would otherwise hide a
 * connection of HTTP/2 until its first request. Each connection can thus be watched from the end of
 * its handshake.
 */
final class AlpnEngine extends SSLEngineOptions {
  @Override
  public AlpnEngine copy() {
    return new AlpnEngine();
  }

  @Override
  public SslContextFactory sslContextFactory() {
    return new DefaultSslContextFactory(SslProvider.JDK, false) {
      @Override
      public SslContextFactory useAlpn(boolean ofVertx) {
        return super.useAlpn(true);
      }
    };
  }
}
