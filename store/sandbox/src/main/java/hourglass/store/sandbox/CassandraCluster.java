package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster of real Cassandra nodes on 127.0.0.1, .2 and .3, each a process that ends with this
 * JVM. Data stay in the folder, and a later start on the same folder finds them. Thread-safe.
 *
 * <pre>{@code
 * try (CassandraCluster cluster =
 *     CassandraCluster.start(CassandraCluster.options(folder).nodes(3))) {
 *   cluster.node(2).kill();
 *   cluster.node(2).restart();
 * }
 * }</pre>
 */
public final class CassandraCluster implements AutoCloseable {
  /** One address per node; a quorum needs three to lose one. */
  public static final int NODES_MAX = 3;

  /** SimpleSnitch knows no other name. */
  public static final String DATACENTER = "datacenter1";

  private static final String SUPERUSER_MADE = "Created default superuser role";

  private final ClusterOptions options;
  private final Ports ports;
  private final CassandraCommand command;
  private final List<CassandraNode> nodes = new ArrayList<>();

  private CassandraCluster(ClusterOptions options, Ports ports)
      throws IOException, InterruptedException {
    this.options = options;
    this.ports = ports;
    this.command = CassandraCommand.of(options, ports);
    for (int number = 1; number <= options.nodes; number++) {
      nodes.add(new CassandraNode(this, command, number));
    }
  }

  /** {@code folder} is of this cluster alone, and created if missing. */
  public static ClusterOptions options(Path folder) {
    return new ClusterOptions(folder.toAbsolutePath().normalize());
  }

  /**
   * Returns when each node answers clients and sees the others.
   *
   * @throws SandboxException if the servers are missing, need another JDK or do not start, with the
   *     end of their logs; no node runs then
   */
  public static CassandraCluster start(ClusterOptions options) throws InterruptedException {
    try {
      Files.createDirectories(options.folder);
      int before = nodesIn(options.folder);
      if (before != 0 && before != options.nodes) {
        throw new SandboxException(
            "%s holds a cluster of %s nodes, which %s cannot take over"
                .formatted(options.folder, before, options.nodes));
      }
      return start(options, ports(options), before == 0);
    } catch (IOException e) {
      throw new SandboxException(options.folder + " cannot be used: " + e, e);
    }
  }

  private static CassandraCluster start(ClusterOptions options, Ports ports, boolean isNew)
      throws IOException, InterruptedException {
    try {
      CassandraCluster cluster = new CassandraCluster(options, ports);
      cluster.startAll(isNew);
      return cluster;
    } catch (IOException | RuntimeException | InterruptedException e) {
      ports.close();
      throw e;
    }
  }

  private static Ports ports(ClusterOptions options) throws IOException {
    return new Ports(options.folder, options.nodes, CassandraCommand.portNames(options.nodes));
  }

  private static int nodesIn(Path folder) {
    return (int)
        IntStream.rangeClosed(1, NODES_MAX)
            .filter(node -> Files.exists(folder.resolve("node" + node)))
            .count();
  }

  /** Returns the addresses of the nodes, in their order. */
  public List<InetSocketAddress> contactPoints() {
    return nodes.stream().map(CassandraNode::address).toList();
  }

  public String datacenter() {
    return DATACENTER;
  }

  /** Counts nodes that do not run, too. */
  public int size() {
    return nodes.size();
  }

  /** {@code number} is counted from 1, as in 127.0.0.1. */
  public CassandraNode node(int number) {
    return nodes.get(number - 1);
  }

  /** The trust store in PKCS #12, for clusters with {@link ClusterOptions#secured}. */
  public Path trustStore() {
    if (command.tls() == null) {
      throw new IllegalStateException("this cluster does not use TLS");
    }
    return command.tls().trustStore();
  }

  public String trustStorePassword() {
    return ClientTls.PASSWORD;
  }

  /**
   * Runs Cassandra's nodetool against node 1 or, with {@code -p}, another; returns its output.
   *
   * @throws SandboxException if it fails, with its output
   */
  public String nodetool(String... arguments) throws InterruptedException {
    return nodetool(1, arguments);
  }

  public String nodetool(int node, String... arguments) throws InterruptedException {
    return command
        .nodetool()
        .with("-h", "127.0.0.1", "-p", Integer.toString(node(node).jmxPort()))
        .with(arguments)
        .run(options.folder);
  }

  /** Stops all nodes in order and concurrently; returns when they are gone. */
  @Override
  public void close() {
    try (ports) {
      nodes.stream().filter(CassandraNode::isAlive).forEach(CassandraNode::beginStop);
      nodes.stream().filter(CassandraNode::isAlive).forEach(CassandraNode::stop);
    }
  }

  /** If it fails, no node runs. */
  private void startAll(boolean isNew) throws InterruptedException {
    long endNanos = SandboxServer.startEndNanos();
    try {
      // The first is the seed: the others give up if they cannot reach it.
      node(1).launch();
      node(1).await(endNanos, () -> Ports.isOpen(command.seed()));
      nodes.stream().skip(1).forEach(CassandraNode::launch);
      awaitRing(endNanos);
      if (options.secured && isNew) {
        node(1)
            .await(
                endNanos,
                () -> nodes.stream().anyMatch(node -> node.output().contains(SUPERUSER_MADE)));
      }
    } catch (RuntimeException | InterruptedException e) {
      nodes.stream().filter(CassandraNode::isAlive).forEach(CassandraNode::kill);
      throw e;
    }
  }

  /** Waits until all running nodes answer clients, and each sees all of them. */
  void awaitRing(long endNanos) throws InterruptedException {
    List<CassandraNode> awake = nodes.stream().filter(CassandraNode::isAwake).toList();
    Set<String> addresses =
        awake.stream()
            .map(node -> node.address().getAddress().getHostAddress())
            .collect(Collectors.toSet());
    for (CassandraNode node : awake) {
      node.await(endNanos, () -> Ports.isOpen(node.address()));
      node.await(endNanos, () -> node.liveOwners().containsAll(addresses));
    }
  }
}
