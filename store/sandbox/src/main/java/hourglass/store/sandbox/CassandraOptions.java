package hourglass.store.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** How a cluster is to be; states every default. Not thread-safe. */
public final class CassandraOptions {
  /** One address a node; a quorum needs three to lose one. */
  public static final int NODES_MAX = 3;

  final Path folder;
  int nodes = 1;
  int heapMegabytes = 512;
  boolean fullCompiler;
  boolean authentication;
  boolean tls;
  final Map<String, String> settings = new LinkedHashMap<>();
  final List<String> jvmFlags = new ArrayList<>();

  /** Half a minute where nothing else runs; a busy machine of two cores takes minutes. */
  Duration startPatience = Duration.ofMinutes(6);

  Consumer<String> progress = Progress.STDERR;

  CassandraOptions(Path folder) {
    this.folder = folder;
  }

  /** 1 to 3 nodes, on 127.0.0.1, 127.0.0.2 and 127.0.0.3; 1 by default. */
  public CassandraOptions nodes(int nodes) {
    if (nodes < 1 || nodes > NODES_MAX) {
      throw new IllegalArgumentException("nodes: " + nodes + ", want 1 to " + NODES_MAX);
    }
    this.nodes = nodes;
    return this;
  }

  /** The heap of each node; 512 MiB by default. */
  public CassandraOptions heapMegabytes(int heapMegabytes) {
    this.heapMegabytes = heapMegabytes;
    return this;
  }

  /**
   * Nodes compile hot code as far as the JVM can, as benchmarks want it; their start costs twice
   * the CPU then.
   */
  public CassandraOptions fullCompiler() {
    fullCompiler = true;
    return this;
  }

  /** Clients must log in: as {@code cassandra} with the password {@code cassandra} at first. */
  public CassandraOptions authentication() {
    authentication = true;
    return this;
  }

  /** Clients must use TLS, and trust {@link CassandraCluster#trustStore}. */
  public CassandraOptions tls() {
    tls = true;
    return this;
  }

  /** A line of cassandra.yaml besides, or in place of, those that stand there. */
  public CassandraOptions setting(String name, String value) {
    settings.put(name, value);
    return this;
  }

  /** A flag of each node's JVM, after those of this module. */
  public CassandraOptions jvmFlag(String flag) {
    jvmFlags.add(flag);
    return this;
  }

  /**
   * How long a start, of a node or of all, may take before it fails; fetching jars aside; 3 minutes
   * by default.
   */
  public CassandraOptions startPatience(Duration patience) {
    startPatience = patience;
    return this;
  }

  /** Gets a line for a person now and then; standard error by default. */
  public CassandraOptions progress(Consumer<String> progress) {
    this.progress = progress;
    return this;
  }
}
