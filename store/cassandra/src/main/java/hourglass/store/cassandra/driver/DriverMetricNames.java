package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metrics.NodeMetric;
import com.datastax.oss.driver.api.core.metrics.SessionMetric;
import com.datastax.oss.driver.internal.core.metrics.MetricId;
import com.datastax.oss.driver.internal.core.metrics.MetricIdGenerator;
import java.util.Map;

/**
 * What the driver's metrics are called here.
 *
 * <pre>
 * hourglass.store.driver.session.*   label session
 * hourglass.store.driver.nodes.*     labels session, and node as host:port
 * </pre>
 *
 * The session's name is fresh with each attempt to connect: the driver takes the meters of one that
 * failed away again some time later, and must not take those of its successor.
 */
public record DriverMetricNames(String session) implements MetricIdGenerator {
  private static final String PREFIX = "hourglass.store.driver.";

  private record Name(String name, Map<String, String> tags) implements MetricId {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public Map<String, String> getTags() {
      return tags;
    }
  }

  @Override
  public MetricId sessionMetricId(SessionMetric metric) {
    return new Name(PREFIX + "session." + metric.getPath(), Map.of("session", session));
  }

  @Override
  public MetricId nodeMetricId(Node node, NodeMetric metric) {
    return new Name(
        PREFIX + "nodes." + metric.getPath(), Map.of("session", session, "node", Nodes.name(node)));
  }
}
