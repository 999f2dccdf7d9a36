package hourglass.config.server;

import hourglass.config.gate.tls.TlsOptions;
import hourglass.config.settings.HttpOptions;
import hourglass.config.settings.Settings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The default options of a listener, on a free port that the system chooses. */
final class AnyPort {
  private static final HttpOptions DEFAULTS = Settings.defaults().http();

  private AnyPort() {}

  static HttpOptions options() {
    return options(DEFAULTS.idleTimeout());
  }

  static HttpOptions options(Duration idleTimeout) {
    return options(idleTimeout, DEFAULTS.connectionsMax(), null);
  }

  static HttpOptions options(int connectionsMax) {
    return options(DEFAULTS.idleTimeout(), connectionsMax, null);
  }

  static HttpOptions options(Duration idleTimeout, int connectionsMax) {
    return options(idleTimeout, connectionsMax, null);
  }

  static HttpOptions options(Duration idleTimeout, TlsOptions tls) {
    return options(idleTimeout, DEFAULTS.connectionsMax(), tls);
  }

  private static HttpOptions options(
      Duration idleTimeout, int connectionsMax, @Nullable TlsOptions tls) {
    return new HttpOptions(
        DEFAULTS.host(),
        0,
        false,
        List.of(),
        List.of(),
        List.of(),
        idleTimeout,
        DEFAULTS.headerBytesMax(),
        connectionsMax,
        tls);
  }
}
