package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command lines of Cassandra's programs, and the files that they read.
 *
 * <p>All nodes have the same native and storage port on different addresses, as Cassandra prefers.
 * The ports of JMX are all on the first address.
 */
record CassandraCommand(
    ClusterOptions options,
    Path javaHome,
    List<Path> jars,
    int nativePort,
    int storagePort,
    List<Integer> jmxPorts,
    @Nullable ClientTls tls) {
  private static final int TOKENS = 16;

  private static final String NATIVE = "native";
  private static final String STORAGE = "storage";

  static CassandraCommand of(ClusterOptions options, Ports ports) throws InterruptedException {
    Path javaHome = JavaHome.forCassandra();
    List<Path> jars = ServerJars.CASSANDRA.classPath();
    return new CassandraCommand(
        options,
        javaHome,
        jars,
        ports.get(NATIVE),
        ports.get(STORAGE),
        jmxNames(options.nodes).map(ports::get).toList(),
        options.secured ? ClientTls.in(options.folder, javaHome) : null);
  }

  static List<String> portNames(int nodes) {
    return Stream.concat(Stream.of(NATIVE, STORAGE), jmxNames(nodes)).toList();
  }

  private static Stream<String> jmxNames(int nodes) {
    return IntStream.rangeClosed(1, nodes).mapToObj(node -> "jmx" + node);
  }

  InetSocketAddress clients(int node) {
    return new InetSocketAddress(Ports.loopback(node), nativePort);
  }

  InetSocketAddress seed() {
    return new InetSocketAddress(Ports.loopback(1), storagePort);
  }

  int jmxPort(int node) {
    return jmxPorts.get(node - 1);
  }

  Path folder(int node) {
    return options.folder.resolve("node" + node);
  }

  /** Writes the settings of the node into its folder. */
  JavaCommand daemon(int node) throws IOException {
    Path folder = Files.createDirectories(folder(node));
    Path yaml = folder.resolve("cassandra.yaml");
    Files.writeString(yaml, yaml(node));
    Path logback = folder.resolve("logback.xml");
    Files.writeString(logback, JavaCommand.resource("cassandra-logback.xml"));

    List<String> flags = forJdk17();
    flags.addAll(
        List.of(
            "-Xmx" + options.heapMegabytes + "m",
            "-XX:+UseSerialGC", // the least CPU with a small heap and few cores
            "-XX:+ExitOnOutOfMemoryError",
            "-Dcassandra.config=" + yaml.toUri(),
            "-Dcassandra.storagedir=" + folder,
            "-Dcassandra.logdir=" + folder,
            "-Dcassandra-foreground=yes",
            "-Dcassandra.jmx.local.port=" + jmxPort(node),
            "-Dcassandra.system_auth.default_rf=" + options.nodes,
            "-Dlogback.configurationFile=" + logback,
            // Waits that a cluster of one machine and one owner does not need: gossip between its
            // nodes is immediate, and the start asks each node whether it sees the others.
            "-Dcassandra.ring_delay_ms=1000",
            "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.consistent.rangemovement=false",
            "-Dcassandra.shutdown_announce_in_ms=200",
            "-Dcassandra.superuser_setup_delay_ms=500",
            // A node measures at its start how much memory a row takes, by default on 100,000 rows:
            // two fifths of the CPU of a start, for the same result.
            "-Dcassandra.memtable_row_overhead_computation_step=1000",
            // The clock of timeouts is read every 20 ms. Every 2 ms, the default, takes a fifth of
            // an idle node's CPU.
            "-Dcassandra.approximate_time_precision_ms=20"));
    if (!options.fullCompiler) {
      flags.add("-XX:TieredStopAtLevel=1"); // compiling is half the cost of a start
    }
    flags.addAll(options.jvmFlags);
    String main = "org.apache.cassandra.service.CassandraDaemon";
    return new JavaCommand(javaHome, flags, jars, main, List.of());
  }

  JavaCommand nodetool() {
    List<String> flags = forJdk17();
    flags.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    Path quiet = options.folder.resolve("nodetool-logback.xml");
    try {
      Files.writeString(quiet, "<configuration/>\n");
    } catch (IOException e) {
      throw new SandboxException(quiet + " cannot be written", e);
    }
    flags.add("-Dlogback.configurationFile=" + quiet);
    return new JavaCommand(javaHome, flags, jars, "org.apache.cassandra.tools.NodeTool", List.of());
  }

  private static List<String> forJdk17() {
    return JavaCommand.resource("cassandra.jvm")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private String yaml(int node) {
    Path folder = folder(node);
    Map<String, String> others = new LinkedHashMap<>();
    if (tls != null) {
      others.put("authenticator", "PasswordAuthenticator");
      others.put("authorizer", "CassandraAuthorizer");
      others.put("client_encryption_options", tls.yaml());
    }
    others.putAll(options.settings);
    String yaml =
        """
        cluster_name: hourglass sandbox
        partitioner: org.apache.cassandra.dht.Murmur3Partitioner
        endpoint_snitch: SimpleSnitch
        listen_address: %1$s
        rpc_address: %1$s
        native_transport_port: %2$s
        storage_port: %3$s
        seed_provider: [{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: "%4$s:%3$s"}]}]
        # Tokens are fixed and nothing is streamed, so that new nodes may join concurrently.
        num_tokens: %5$s
        initial_token: "%6$s"
        auto_bootstrap: false
        data_file_directories: [%7$s]
        commitlog_directory: %8$s
        hints_directory: %9$s
        saved_caches_directory: %10$s
        cdc_raw_directory: %11$s
        commitlog_sync: periodic
        commitlog_sync_period: 10000ms
        # Several nodes share a machine with their clients.
        memtable_heap_space: %12$sMiB
        memtable_offheap_space: %12$sMiB
        key_cache_size: 8MiB
        file_cache_size: 32MiB
        networking_cache_size: 32MiB
        concurrent_reads: 8
        concurrent_writes: 16
        concurrent_compactors: 1
        native_transport_max_threads: 16
        commitlog_total_space: 512MiB
        """
            .formatted(
                Ports.loopback(node).getHostAddress(),
                nativePort,
                storagePort,
                Ports.loopback(1).getHostAddress(),
                TOKENS,
                tokens(node, options.nodes),
                quoted(folder, "data"),
                quoted(folder, "commitlog"),
                quoted(folder, "hints"),
                quoted(folder, "saved_caches"),
                quoted(folder, "cdc_raw"),
                options.heapMegabytes / 4);
    return JavaCommand.lines(yaml, ": ", others);
  }

  private static String quoted(Path folder, String name) {
    return JavaCommand.quoted(folder.resolve(name).toString());
  }

  /** Cuts the ring into equal arcs, given to the nodes in turn. */
  static String tokens(int node, int nodes) {
    long arc = Long.divideUnsigned(-1, (long) TOKENS * nodes);
    return IntStream.range(0, TOKENS)
        .mapToObj(i -> Long.toString(Long.MIN_VALUE + arc * ((long) i * nodes + node)))
        .collect(Collectors.joining(","));
  }
}
