package hourglass.config;

import hourglass.store.sandbox.CassandraCluster;
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
   * @param more go after them
   */
  static String[] settings(CassandraCluster cluster, String... more) {
    List<String> settings = new ArrayList<>();
    settings.add("store.engine=cassandra");
    settings.add(
        cluster.contactPoints().stream()
            .map(node -> '"' + node.getAddress().getHostAddress() + ":" + node.getPort() + '"')
            .collect(Collectors.joining(",", "store.cassandra.contact-points=[", "]")));
    settings.add("store.cassandra.datacenter=" + cluster.datacenter());
    settings.add("store.cassandra.replication=" + cluster.size());
    settings.addAll(Arrays.asList(more));
    return settings.toArray(String[]::new);
  }
}
