package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metrics.DefaultNodeMetric;
import com.datastax.oss.driver.api.core.metrics.DefaultSessionMetric;
import com.datastax.oss.driver.api.core.metrics.NodeMetric;
import com.datastax.oss.driver.api.core.metrics.SessionMetric;
import com.datastax.oss.driver.internal.core.metrics.DefaultMetricId;
import com.datastax.oss.driver.internal.core.metrics.MetricId;
import com.datastax.oss.driver.internal.core.metrics.MetricIdGenerator;
import com.datastax.oss.driver.internal.metrics.micrometer.MicrometerMetricsFactory;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The enabled metrics of the driver, and their names.
 *
 * <pre>
 * hourglass.store.driver.session.*   label session
 * hourglass.store.driver.nodes.*     labels session, and node as host:port
 * </pre>
 *
 * @param session every attempt to connect has a new name: the driver removes the meters of a failed
 *     session only after some time, and must not remove those of its successor
 */
public record DriverMetrics(String session) implements MetricIdGenerator {
  private static final String PREFIX = "hourglass.store.driver.";

  private static final List<DefaultSessionMetric> OF_THE_SESSION =
      List.of(
          DefaultSessionMetric.CQL_REQUESTS,
          DefaultSessionMetric.CQL_CLIENT_TIMEOUTS,
          DefaultSessionMetric.CONNECTED_NODES,
          DefaultSessionMetric.BYTES_SENT,
          DefaultSessionMetric.BYTES_RECEIVED);

  /** The metrics of nodes. Each adds a series for every node, a timer three. */
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

  /** The latencies that are counted, from those of healthy nodes up to the request timeout. */
  private static final List<Duration> LATENCIES =
      Stream.of(2, 5, 10, 20, 50, 100, 500, 1_000, 5_000).map(Duration::ofMillis).toList();

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

  /**
   * Returns a filter that gives the meters of the driver a text, since the driver gives them none.
   */
  public static MeterFilter texts() {
    return new MeterFilter() {
      @Override
      public Meter.Id map(Meter.Id id) {
        return id.getName().startsWith(PREFIX) && id.getDescription() == null
            ? new Meter.Id(
                id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), text(id), id.getType())
            : id;
      }
    };
  }

  private static String text(Meter.Id id) {
    return "Of Cassandra's driver: "
        + id.getName().substring(PREFIX.length()).replace('.', ' ').replace('-', ' ');
  }

  /**
   * Removes the meters of a closed session. The driver removes them when the close begins, but adds
   * one again for each request that it records later.
   */
  public static void remove(String session, MeterRegistry meters) {
    for (Meter meter : meters.getMeters()) {
      Meter.Id id = meter.getId();
      if (id.getName().startsWith(PREFIX) && session.equals(id.getTag("session"))) {
        meters.remove(meter);
      }
    }
  }

  @Override
  public MetricId sessionMetricId(SessionMetric metric) {
    return new DefaultMetricId(PREFIX + "session." + metric.getPath(), Map.of("session", session));
  }

  @Override
  public MetricId nodeMetricId(Node node, NodeMetric metric) {
    return new DefaultMetricId(
        PREFIX + "nodes." + metric.getPath(), Map.of("session", session, "node", Nodes.name(node)));
  }
}
