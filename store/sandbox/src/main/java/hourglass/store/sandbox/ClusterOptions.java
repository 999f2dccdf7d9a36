package hourglass.store.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of a {@link CassandraCluster}. Not thread-safe. */
public final class ClusterOptions {
  final Path folder;
  int nodes = 1;
  int heapMegabytes = 512;
  boolean fullCompiler;
  boolean secured;
  final Map<String, String> settings = new LinkedHashMap<>();
  final List<String> jvmFlags = new ArrayList<>();

  ClusterOptions(Path folder) {
    this.folder = folder;
  }

  /** 1 to 3 nodes; 1 by default. */
  public ClusterOptions nodes(int value) {
    if (value < 1 || value > CassandraCluster.NODES_MAX) {
      throw new IllegalArgumentException(
          "nodes: " + value + ", want 1 to " + CassandraCluster.NODES_MAX);
    }
    nodes = value;
    return this;
  }

  /** Sets the heap of each node; 512 MiB by default. */
  public ClusterOptions heapMegabytes(int value) {
    heapMegabytes = value;
    return this;
  }

  /** Optimises hot code fully, for benchmarks; a start then takes twice the CPU. */
  public ClusterOptions fullCompiler() {
    fullCompiler = true;
    return this;
  }

  /**
   * Clients must use TLS and trust {@link CassandraCluster#trustStore}. They must log in, at first
   * as {@code cassandra} with the password {@code cassandra}.
   */
  public ClusterOptions secured() {
    secured = true;
    return this;
  }

  /** Changes of the schema flush nothing, and nothing has to survive its process: for tests. */
  public ClusterOptions forgetful() {
    return jvmFlag("-Dcassandra.unsafesystem=true").setting("auto_snapshot", "false");
  }

  /** Adds or replaces a line of cassandra.yaml. */
  public ClusterOptions setting(String name, String value) {
    settings.put(name, value);
    return this;
  }

  /** Adds a flag after those of this module. */
  public ClusterOptions jvmFlag(String flag) {
    jvmFlags.add(flag);
    return this;
  }
}
