package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import hourglass.bucketing.RowKey;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** What the driver knows of the nodes. */
final class Nodes {
  private Nodes() {}

  private static Collection<Node> all(CqlSession session) {
    return session.getMetadata().getNodes().values();
  }

  /** {@code host:port}, as it was given or learnt. */
  static String name(Node node) {
    return node.getEndPoint().resolve() instanceof InetSocketAddress address
        ? address.getHostString() + ":" + address.getPort()
        : node.getEndPoint().toString();
  }

  static long count(CqlSession session, NodeState state) {
    return all(session).stream().filter(node -> node.getState() == state).count();
  }

  /** Each node and whether it is there: {@code nodes: 127.0.0.1:9042 up, 127.0.0.2:9042 down}. */
  static String text(CqlSession session) {
    return all(session).stream()
        .map(node -> name(node) + " " + node.getState().name().toLowerCase(java.util.Locale.ROOT))
        .sorted()
        .collect(Collectors.joining(", ", "nodes: ", ""));
  }

  /** The nodes that keep a row. */
  static List<String> of(CqlSession session, String keyspace, RowKey row) {
    return session
        .getMetadata()
        .getTokenMap()
        .map(
            tokens ->
                tokens.getReplicas(keyspace, EventsTable.text(row)).stream()
                    .map(Nodes::name)
                    .toList())
        .orElse(List.of());
  }
}
