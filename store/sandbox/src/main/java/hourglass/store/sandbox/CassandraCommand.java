package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  /** Shortens waits that a cluster of one machine and one owner does not need. */
  private static final List<String> SHORT_WAITS =
      List.of(
          // Gossip between the nodes of one machine is immediate.
          "-Dcassandra.ring_delay_ms=1000",
          // The start of a cluster asks each node whether it sees the others, which is safer.
          "-Dcassandra.skip_wait_for_gossip_to_settle=0",
          "-Dcassandra.consistent.rangemovement=false",
          "-Dcassandra.shutdown_announce_in_ms=200",
          "-Dcassandra.superuser_setup_delay_ms=500");

  static CassandraCommand of(ClusterOptions options) throws InterruptedException {
    Path javaHome = JavaHome.forCassandra();
    List<Path> jars = ServerJars.CASSANDRA.classPath();
    Ports ports = Ports.of(options.folder);
    List<InetAddress> all =
        IntStream.rangeClosed(1, options.nodes).mapToObj(Ports::loopback).toList();
    return new CassandraCommand(
        options,
        javaHome,
        jars,
        ports.get("native", all),
        ports.get("storage", all),
        IntStream.rangeClosed(1, options.nodes)
            .mapToObj(node -> ports.get("jmx" + node, all.subList(0, 1)))
            .toList(),
        options.tls ? ClientTls.in(options.folder, javaHome) : null);
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
    flags.add("-Xmx" + options.heapMegabytes + "m");
    flags.add("-XX:+UseSerialGC"); // the least CPU with a small heap and few cores
    if (!options.fullCompiler) {
      flags.add("-XX:TieredStopAtLevel=1"); // compiling is half the cost of a start
    }
    flags.add("-XX:+ExitOnOutOfMemoryError");
    flags.add("-Dcassandra.config=" + yaml.toUri());
    flags.add("-Dcassandra.storagedir=" + folder);
    flags.add("-Dcassandra.logdir=" + folder);
    flags.add("-Dcassandra-foreground=yes");
    flags.add("-Dcassandra.jmx.local.port=" + jmxPort(node));
    flags.add("-Dcassandra.system_auth.default_rf=" + options.nodes);
    flags.add("-Dlogback.configurationFile=" + logback);
    flags.addAll(SHORT_WAITS);
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
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("cluster_name", "hourglass sandbox");
    lines.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    lines.put("endpoint_snitch", "SimpleSnitch");
    lines.put("listen_address", Ports.loopback(node).getHostAddress());
    lines.put("rpc_address", Ports.loopback(node).getHostAddress());
    lines.put("native_transport_port", Integer.toString(nativePort));
    lines.put("storage_port", Integer.toString(storagePort));
    String seed = JavaCommand.quoted(Ports.loopback(1).getHostAddress() + ":" + storagePort);
    lines.put(
        "seed_provider",
        "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: "
            + seed
            + "}]}]");
    // Tokens are fixed and nothing is streamed, so that new nodes may join concurrently.
    lines.put("num_tokens", Integer.toString(TOKENS));
    lines.put("initial_token", JavaCommand.quoted(tokens(node, options.nodes)));
    lines.put("auto_bootstrap", "false");

    Path folder = folder(node);
    String data = JavaCommand.quoted(folder.resolve("data").toString());
    lines.put("data_file_directories", "[" + data + "]");
    for (String each : List.of("commitlog", "hints", "saved_caches", "cdc_raw")) {
      lines.put(each + "_directory", JavaCommand.quoted(folder.resolve(each).toString()));
    }
    lines.put("commitlog_sync", "periodic");
    lines.put("commitlog_sync_period", "10000ms");

    // Several nodes share a machine with their clients.
    lines.put("memtable_heap_space", options.heapMegabytes / 4 + "MiB");
    lines.put("memtable_offheap_space", options.heapMegabytes / 4 + "MiB");
    lines.put("key_cache_size", "8MiB");
    lines.put("file_cache_size", "32MiB");
    lines.put("networking_cache_size", "32MiB");
    lines.put("concurrent_reads", "8");
    lines.put("concurrent_writes", "16");
    lines.put("concurrent_compactors", "1");
    lines.put("native_transport_max_threads", "16");
    lines.put("commitlog_total_space", "512MiB");

    if (options.authentication) {
      lines.put("authenticator", "PasswordAuthenticator");
      lines.put("authorizer", "CassandraAuthorizer");
    }
    if (tls != null) {
      lines.put("client_encryption_options", tls.yaml());
    }
    lines.putAll(options.settings);
    return JavaCommand.lines(lines, ": ");
  }

  /** Cuts the ring into equal arcs, given to the nodes in turn. */
  static String tokens(int node, int nodes) {
    long arc = Long.divideUnsigned(-1, (long) TOKENS * nodes);
    return IntStream.range(0, TOKENS)
        .mapToObj(i -> Long.toString(Long.MIN_VALUE + arc * ((long) i * nodes + node)))
        .collect(Collectors.joining(","));
  }
}
