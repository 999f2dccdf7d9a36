package hourglass.store.sandbox;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The cassandra.yaml of a node. */
final class CassandraYaml {
  private static final int TOKENS = 16;

  private CassandraYaml() {}

  /**
   * @param folder of the node
   * @param tls null: clients connect without
   */
  static String of(
      CassandraOptions options,
      CassandraLayout layout,
      int node,
      Path folder,
      @Nullable ClientTls tls) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("cluster_name", "hourglass sandbox");
    lines.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    lines.put("endpoint_snitch", "SimpleSnitch");
    lines.put("listen_address", CassandraLayout.ip(node).getHostAddress());
    lines.put("rpc_address", CassandraLayout.ip(node).getHostAddress());
    lines.put("native_transport_port", Integer.toString(layout.nativePort()));
    lines.put("storage_port", Integer.toString(layout.storagePort()));
    lines.put("seed_provider", seeds(layout));
    // Tokens that are known beforehand and nothing to stream: nodes of a new cluster may join at
    // once, side by side.
    lines.put("num_tokens", Integer.toString(TOKENS));
    lines.put("initial_token", quoted(tokens(node, layout.nodes())));
    lines.put("auto_bootstrap", "false");

    lines.put("data_file_directories", "[" + quoted(folder.resolve("data").toString()) + "]");
    lines.put("commitlog_directory", quoted(folder.resolve("commitlog").toString()));
    lines.put("hints_directory", quoted(folder.resolve("hints").toString()));
    lines.put("saved_caches_directory", quoted(folder.resolve("saved_caches").toString()));
    lines.put("cdc_raw_directory", quoted(folder.resolve("cdc_raw").toString()));
    lines.put("commitlog_sync", "periodic");
    lines.put("commitlog_sync_period", "10000ms");

    // Small: several nodes share a machine with their clients.
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
    return lines.entrySet().stream()
        .map(line -> line.getKey() + ": " + line.getValue() + "\n")
        .collect(Collectors.joining());
  }

  private static String seeds(CassandraLayout layout) {
    String first = CassandraLayout.ip(1).getHostAddress() + ":" + layout.storagePort();
    return "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: "
        + quoted(first)
        + "}]}]";
  }

  /** The ring cut into equal arcs, given to the nodes in turn. */
  static String tokens(int node, int nodes) {
    long arc = Long.divideUnsigned(-1, (long) TOKENS * nodes);
    return IntStream.range(0, TOKENS)
        .mapToObj(i -> Long.toString(Long.MIN_VALUE + arc * ((long) i * nodes + node)))
        .collect(Collectors.joining(","));
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
