package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
  /** SimpleSnitch knows no other. */
  private static final String DATACENTER = "datacenter1";

  private static final String SUPERUSER_MADE = "Created default superuser role";

  private final CassandraOptions options;
  private final CassandraLayout layout;
  private final JavaCommand nodetool;
  private final @Nullable ClientTls tls;
  private final List<CassandraNode> nodes;
  private final boolean isNew;

  private CassandraCluster(
      CassandraOptions options,
      CassandraLayout layout,
      JavaCommand nodetool,
      @Nullable ClientTls tls,
      List<CassandraNode> nodes,
      boolean isNew) {
    this.options = options;
    this.layout = layout;
    this.nodetool = nodetool;
    this.tls = tls;
    this.nodes = nodes;
    this.isNew = isNew;
  }

  /**
   * The defaults, to be changed.
   *
   * @param folder of this cluster alone; made if it is not there
   */
  public static CassandraOptions options(Path folder) {
    return new CassandraOptions(folder.toAbsolutePath().normalize());
  }

  /**
   * Starts all nodes. When it returns, each answers clients and sees the others.
   *
   * @throws SandboxException if the servers cannot be had, need another JDK, or do not start, with
   *     the end of what they said; nothing runs then
   */
  public static CassandraCluster start(CassandraOptions options) throws InterruptedException {
    Path javaHome = JavaHome.forCassandra();
    List<Path> jars = ServerJars.CASSANDRA.classPath(options.progress);
    CassandraCluster cluster;
    try {
      cluster = prepare(options, javaHome, jars);
    } catch (IOException e) {
      throw new SandboxException(options.folder + " cannot be used: " + e, e);
    }
    try {
      cluster.startAll();
      return cluster;
    } catch (RuntimeException | InterruptedException e) {
      cluster.kill();
      throw e;
    }
  }

  private static CassandraCluster prepare(CassandraOptions options, Path javaHome, List<Path> jars)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(options.folder);
    int before = nodesOf(folder);
    if (before != 0 && before != options.nodes) {
      throw new SandboxException(
          folder
              + " holds a cluster of "
              + before
              + " nodes, which "
              + options.nodes
              + " cannot take over");
    }
    CassandraLayout layout = CassandraLayout.of(options.nodes, Ports.of(folder));
    ClientTls tls = options.tls ? ClientTls.in(folder, javaHome) : null;
    JavaCommand nodetool = CassandraCommand.nodetool(javaHome, jars, folder);
    List<CassandraNode> nodes = new ArrayList<>();
    CassandraCluster cluster =
        new CassandraCluster(
            options, layout, nodetool, tls, Collections.unmodifiableList(nodes), before == 0);
    for (int number = 1; number <= options.nodes; number++) {
      JavaCommand daemon = CassandraCommand.daemon(options, layout, number, nodetool, tls);
      nodes.add(
          new CassandraNode(
              cluster,
              number,
              layout.clients(number),
              daemon,
              CassandraLayout.folder(folder, number)));
    }
    return cluster;
  }

  private static int nodesOf(Path folder) {
    return (int)
        IntStream.rangeClosed(1, CassandraOptions.NODES_MAX)
            .filter(node -> Files.exists(CassandraLayout.folder(folder, node)))
            .count();
  }

  /** Where clients reach the nodes, the first one first. */
  public List<InetSocketAddress> contactPoints() {
    return nodes.stream().map(CassandraNode::address).toList();
  }

  /** The name of the data center, which drivers need. */
  public String datacenter() {
    return DATACENTER;
  }

  /** How many nodes there are, running or not. */
  public int size() {
    return nodes.size();
  }

  /**
   * One of the nodes.
   *
   * @param number counted from 1, as in 127.0.0.1
   */
  public CassandraNode node(int number) {
    return nodes.get(number - 1);
  }

  /** The clients' trust store, in PKCS #12; for clusters with {@link CassandraOptions#tls}. */
  public Path trustStore() {
    if (tls == null) {
      throw new IllegalStateException("this cluster does not use TLS");
    }
    return tls.trustStore();
  }

  /** The password of {@link #trustStore}. */
  public String trustStorePassword() {
    return ClientTls.PASSWORD;
  }

  /**
   * Runs Cassandra's nodetool against node 1 or, with {@code -p}, another.
   *
   * @return its output
   * @throws SandboxException if it fails, with its output
   */
  public String nodetool(String... arguments) throws InterruptedException {
    return nodetool(1, arguments);
  }

  /** The same against a node of choice, counted from 1. */
  public String nodetool(int node, String... arguments) throws InterruptedException {
    return nodetool
        .with("-h", "127.0.0.1", "-p", Integer.toString(layout.jmxPort(node)))
        .with(arguments)
        .run(options.folder);
  }

  /** Stops all nodes in order, side by side; returns when they are gone. */
  @Override
  public void close() {
    nodes.stream().filter(CassandraNode::isAlive).forEach(node -> node.started().beginStop());
    nodes.stream().filter(CassandraNode::isAlive).forEach(CassandraNode::stop);
  }

  private void kill() {
    nodes.stream().filter(CassandraNode::isAlive).forEach(CassandraNode::kill);
  }

  private void startAll() throws InterruptedException {
    Deadline deadline = Deadline.in(options.startPatience);
    // The first is the seed: the others give up if they cannot reach it.
    launch(node(1));
    node(1).started().await(deadline, () -> Ports.isOpen(layout.storage(1)));
    for (int number = 2; number <= nodes.size(); number++) {
      launch(node(number));
    }
    awaitRing(deadline);
    if (options.authentication && isNew) {
      node(1).started().await(deadline, this::hasSuperuser);
    }
  }

  private boolean hasSuperuser() {
    return nodes.stream().anyMatch(node -> node.output().contains(SUPERUSER_MADE));
  }

  void restart(CassandraNode node) throws InterruptedException {
    launch(node);
    awaitRing(Deadline.in(options.startPatience));
  }

  private void launch(CassandraNode node) {
    options.progress.accept("starting " + node.name());
    try {
      node.launch();
    } catch (IOException e) {
      throw new SandboxException(node.name() + " cannot be started: " + e, e);
    }
  }

  /** Waits until all nodes that run answer clients, and each sees all of them. */
  private void awaitRing(Deadline deadline) throws InterruptedException {
    List<CassandraNode> running = nodes.stream().filter(CassandraNode::runs).toList();
    Set<String> addresses =
        running.stream()
            .map(node -> node.address().getAddress().getHostAddress())
            .collect(Collectors.toSet());
    for (CassandraNode node : running) {
      ServerProcess process = node.started();
      process.await(deadline, () -> Ports.isOpen(node.address()));
      int jmx = layout.jmxPort(node.number());
      process.await(deadline, () -> CassandraJmx.liveOwners(jmx).containsAll(addresses));
    }
  }
}
