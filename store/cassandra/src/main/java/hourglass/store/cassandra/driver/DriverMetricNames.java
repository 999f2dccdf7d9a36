package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metrics.NodeMetric;
import com.datastax.oss.driver.api.core.metrics.SessionMetric;
import com.datastax.oss.driver.internal.core.metrics.MetricId;
import com.datastax.oss.driver.internal.core.metrics.MetricIdGenerator;
import java.util.Map;

/**
 * The names of the driver's metrics.
 *
 * <pre>
 * hourglass.store.driver.session.*   label session
 * hourglass.store.driver.nodes.*     labels session, and node as host:port
 * </pre>
 *
 * Every attempt to connect gets a new session name. The driver removes the meters of a failed
 * session only after some time, and must not remove those of its successor.
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
