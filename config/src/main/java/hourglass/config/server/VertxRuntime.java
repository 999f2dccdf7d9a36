package hourglass.config.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loops of a process.
 *
 * @param transport shows each connection to the HTTP listener from its accept
 */
record VertxRuntime(Vertx vertx, AcceptingTransport transport) implements AutoCloseable {
  /**
   * The number of event loops: one for each core, but at least two, so that a long task on one does
   * not stop everybody.
   */
  static final int EVENT_LOOPS = Math.max(2, Runtime.getRuntime().availableProcessors());

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Logger logger = LoggerFactory.getLogger(VertxRuntime.class);

  VertxRuntime(MeterRegistry meters) {
    this(new AcceptingTransport(new AcceptFailures(meters, System::nanoTime)));
  }

  private VertxRuntime(AcceptingTransport transport) {
    this(
        Vertx.builder()
            .with(new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS))
            .withTransport(transport)
            .build(),
        transport);
    vertx.exceptionHandler(FatalErrors::orLog);
  }

  @Override
  public void close() {
    try {
      vertx.close().await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      logger.warn("connections did not close within {} s", PATIENCE.toSeconds());
    }
  }
}
