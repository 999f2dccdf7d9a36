package hourglass.store.sandbox;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who listens where. All nodes have the same native and storage port, which is how Cassandra likes
 * it, on different addresses; the ports of JMX are all on the first address.
 */
record CassandraLayout(int nodes, int nativePort, int storagePort, List<Integer> jmxPorts) {
  static CassandraLayout of(int nodes, Ports ports) {
    List<InetAddress> all = IntStream.rangeClosed(1, nodes).mapToObj(CassandraLayout::ip).toList();
    int nativePort = ports.get("native", all);
    int storagePort = ports.get("storage", all);
    List<Integer> jmx =
        IntStream.rangeClosed(1, nodes)
            .mapToObj(node -> ports.get("jmx" + node, List.of(ip(1))))
            .toList();
    return new CassandraLayout(nodes, nativePort, storagePort, jmx);
  }

  /** Where clients reach a node, counted from 1. */
  InetSocketAddress clients(int node) {
    return new InetSocketAddress(ip(node), nativePort);
  }

  /** Where the other nodes reach it. */
  InetSocketAddress storage(int node) {
    return new InetSocketAddress(ip(node), storagePort);
  }

  int jmxPort(int node) {
    return jmxPorts.get(node - 1);
  }

  static Path folder(Path cluster, int node) {
    return cluster.resolve("node" + node);
  }

  static InetAddress ip(int node) {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) node});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // four bytes are always an address
    }
  }
}
