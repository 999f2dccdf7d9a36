package hourglass.config.gate.tls;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts connections that failed before their first request. Any stranger can make them fail, so
 * they are logged at debug level only. Thread-safe.
 */
final class Handshakes implements Consumer<Throwable> {
  private static final Logger logger = LoggerFactory.getLogger(Handshakes.class);

  /** The most causes of an exception that are examined. */
  private static final int CAUSES_MAX = 10;

  private final Map<Reason, Counter> failed = new EnumMap<>(Reason.class);

  private enum Reason {
    /** The client did not use TLS; mostly it used http:// instead of https://. */
    NOT_TLS,
    /** The client closed the connection, or was too slow. */
    CLOSED,
    /** The client has no certificate, or one that is not trusted. */
    CLIENT_CERTIFICATE,
    /** The client does not trust the server, or they have no version or cipher in common. */
    REFUSED
  }

  Handshakes(MeterRegistry meters) {
    for (Reason reason : Reason.values()) {
      failed.put(
          reason,
          Counter.builder("hourglass.http.tls.handshakes.failed")
              .description("connections that ended before their first request, by reason")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(meters));
    }
  }

  @Override
  public void accept(Throwable failure) {
    Reason reason = reason(failure);
    Counter counter = reason == null ? null : failed.get(reason);
    if (counter != null) {
      counter.increment();
      logger.debug("no TLS with a client: {}", failure.getMessage());
    }
  }

  /** Returns the reason of a failure, or null if the connection was already established. */
  private static @Nullable Reason reason(Throwable failure) {
    Throwable cause = failure;
    Reason reason = null;
    for (int i = 0; cause != null && i < CAUSES_MAX; i++, cause = cause.getCause()) {
      if (cause instanceof NotSslRecordException) {
        return Reason.NOT_TLS;
      }
      if (cause instanceof SslHandshakeTimeoutException) {
        return Reason.CLOSED;
      }
      if (cause instanceof CertificateException || isWithoutCertificate(cause)) {
        return Reason.CLIENT_CERTIFICATE;
      }
      if (cause instanceof SSLException) {
        reason = Reason.REFUSED;
      } else if (reason == null && cause instanceof ClosedChannelException) {
        reason = Reason.CLOSED;
      }
    }
    return reason;
  }

  private static boolean isWithoutCertificate(Throwable cause) {
    return cause instanceof SSLHandshakeException
        && String.valueOf(cause.getMessage()).contains("client certificate");
  }
}
