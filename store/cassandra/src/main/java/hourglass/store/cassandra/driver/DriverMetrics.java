package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.metrics.DefaultNodeMetric;
import com.datastax.oss.driver.api.core.metrics.DefaultSessionMetric;
import com.datastax.oss.driver.internal.metrics.micrometer.MicrometerMetricsFactory;
import java.time.Duration;
import java.util.List;

/**
 * The enabled metrics of the driver, per session and per node. {@link DriverMetricNames} names them
 * in the session's registry.
 */
public final class DriverMetrics {
  private static final List<DefaultSessionMetric> OF_THE_SESSION =
      List.of(
          DefaultSessionMetric.CQL_REQUESTS,
          DefaultSessionMetric.CQL_CLIENT_TIMEOUTS,
          DefaultSessionMetric.CONNECTED_NODES,
          DefaultSessionMetric.BYTES_SENT,
          DefaultSessionMetric.BYTES_RECEIVED);

  /** Each adds a series per node, a timer three. */
  private static final List<DefaultNodeMetric> OF_NODES =
      List.of(
          DefaultNodeMetric.CQL_MESSAGES,
          DefaultNodeMetric.OPEN_CONNECTIONS,
          DefaultNodeMetric.IN_FLIGHT,
          DefaultNodeMetric.RETRIES,
          DefaultNodeMetric.SPECULATIVE_EXECUTIONS,
          DefaultNodeMetric.UNSENT_REQUESTS,
          DefaultNodeMetric.ABORTED_REQUESTS,
          DefaultNodeMetric.WRITE_TIMEOUTS,
          DefaultNodeMetric.READ_TIMEOUTS,
          DefaultNodeMetric.UNAVAILABLES,
          DefaultNodeMetric.OTHER_ERRORS,
          DefaultNodeMetric.CONNECTION_INIT_ERRORS,
          DefaultNodeMetric.AUTHENTICATION_ERRORS);

  /** Bounds of the histogram, from healthy nodes up to the request timeout. */
  private static final List<Duration> LATENCIES =
      List.of(
          Duration.ofMillis(2),
          Duration.ofMillis(5),
          Duration.ofMillis(10),
          Duration.ofMillis(20),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5));

  private DriverMetrics() {}

  public static void enable(ProgrammaticDriverConfigLoaderBuilder config) {
    config
        .withClass(DefaultDriverOption.METRICS_FACTORY_CLASS, MicrometerMetricsFactory.class)
        // Otherwise each timer would have some seventy buckets per node.
        .withBoolean(DefaultDriverOption.METRICS_GENERATE_AGGREGABLE_HISTOGRAMS, false)
        .withDurationList(DefaultDriverOption.METRICS_SESSION_CQL_REQUESTS_SLO, LATENCIES)
        .withStringList(
            DefaultDriverOption.METRICS_SESSION_ENABLED,
            OF_THE_SESSION.stream().map(DefaultSessionMetric::getPath).toList())
        .withStringList(
            DefaultDriverOption.METRICS_NODE_ENABLED,
            OF_NODES.stream().map(DefaultNodeMetric::getPath).toList());
  }
}
