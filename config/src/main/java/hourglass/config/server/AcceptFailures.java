package hourglass.config.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts connections that could not be accepted. Logs the first failure at once, then at most one
 * line a minute with the number of failures since the last line. Netty tries again each second; the
 * usual cause is a lack of file descriptors. Thread-safe.
 */
final class AcceptFailures {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final Logger logger = LoggerFactory.getLogger(AcceptFailures.class);

  private final Counter counter;
  private final LongSupplier nanos;

  // Guarded by this:
  private boolean hasLogged;
  private long loggedNanos;
  private long sinceLogged;

  /** Creates the counter. {@code nanos} is a monotonic clock. */
  AcceptFailures(MeterRegistry meters, LongSupplier nanos) {
    this.nanos = nanos;
    counter =
        Counter.builder("hourglass.accepts.failed")
            .description("Attempts to accept connections that failed")
            .register(meters);
  }

  void add(Throwable failure) {
    FatalErrors.haltIfFatal(failure);
    counter.increment();
    long count = countToLog();
    if (count > 0) {
      logger.warn(
          "cannot accept connections, {} attempts failed since the last such line: {}; if files are"
              + " too many, raise the limit of open files above http.max-connections"
              + " (docs/operations.md, Open files)",
          count,
          failure.toString());
    }
  }

  /** Returns how many failures the line to be logged now counts, or 0 if no line is due. */
  private synchronized long countToLog() {
    sinceLogged++;
    long now = nanos.getAsLong();
    if (hasLogged && now - loggedNanos < MINUTE_NANOS) {
      return 0;
    }
    long count = sinceLogged;
    hasLogged = true;
    loggedNanos = now;
    sinceLogged = 0;
    return count;
  }
}
