package hourglass.program.cassandra;

import hourglass.store.sandbox.CassandraCluster;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The settings of a process that keeps its rows on a cluster. */
final class CassandraRun {
  private CassandraRun() {}

  /**
   * Settings, {@code key=value} each, with as many copies of a row as there are nodes.
   *
   * @param more appended to them
   */
  static String[] settings(CassandraCluster cluster, String... more) {
    List<String> settings = new ArrayList<>();
    settings.add("store.engine=cassandra");
    settings.add(
        cluster.contactPoints().stream()
            .map(node -> '"' + name(node) + '"')
            .collect(Collectors.joining(",", "store.cassandra.contact-points=[", "]")));
    settings.add("store.cassandra.datacenter=" + cluster.datacenter());
    settings.add("store.cassandra.replication=" + cluster.size());
    settings.addAll(Arrays.asList(more));
    return settings.toArray(String[]::new);
  }

  /** A node as settings and messages name it, {@code host:port}. */
  static String name(InetSocketAddress node) {
    return node.getAddress().getHostAddress() + ":" + node.getPort();
  }
}
