package hourglass.store.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command lines of Cassandra's programs, and the files that they read. */
final class CassandraCommand {
  /** Waits that a cluster of one machine and one owner does not need, in milliseconds. */
  private static final List<String> SHORT_WAITS =
      List.of(
          // Gossip between the nodes of one machine is there at once.
          "-Dcassandra.ring_delay_ms=1000",
          // The start of a cluster asks each node whether it sees the others, which is surer.
          "-Dcassandra.skip_wait_for_gossip_to_settle=0",
          "-Dcassandra.consistent.rangemovement=false",
          "-Dcassandra.shutdown_announce_in_ms=200",
          "-Dcassandra.superuser_setup_delay_ms=500");

  private CassandraCommand() {}

  /** A node; writes its settings into its folder. */
  static JavaCommand daemon(
      CassandraOptions options,
      CassandraLayout layout,
      int node,
      JavaCommand nodetool,
      @Nullable ClientTls tls)
      throws IOException {
    Path folder = CassandraLayout.folder(options.folder, node);
    Files.createDirectories(folder);
    Path yaml = folder.resolve("cassandra.yaml");
    Files.writeString(yaml, CassandraYaml.of(options, layout, node, folder, tls));
    Path logback = folder.resolve("logback.xml");
    Files.writeString(logback, Resources.text("cassandra-logback.xml"));

    List<String> flags = new ArrayList<>(forJdk17());
    flags.add("-Xmx" + options.heapMegabytes + "m");
    flags.add("-XX:+UseSerialGC"); // the least CPU with a small heap and few cores
    if (!options.fullCompiler) {
      flags.add("-XX:TieredStopAtLevel=1"); // compiling is half of what a start costs
    }
    flags.add("-XX:+ExitOnOutOfMemoryError");
    flags.add("-Dcassandra.config=" + yaml.toUri());
    flags.add("-Dcassandra.storagedir=" + folder);
    flags.add("-Dcassandra.logdir=" + folder);
    flags.add("-Dcassandra-foreground=yes");
    flags.add("-Dcassandra.jmx.local.port=" + layout.jmxPort(node));
    flags.add("-Dcassandra.system_auth.default_rf=" + layout.nodes());
    flags.add("-Dlogback.configurationFile=" + logback);
    flags.addAll(SHORT_WAITS);
    flags.addAll(options.jvmFlags);
    return new JavaCommand(
        nodetool.home(),
        flags,
        nodetool.classPath(),
        "org.apache.cassandra.service.CassandraDaemon",
        List.of());
  }

  /** {@code nodetool}, still without arguments. */
  static JavaCommand nodetool(Path javaHome, List<Path> jars, Path cluster) throws IOException {
    Path quiet = cluster.resolve("nodetool-logback.xml");
    Files.writeString(quiet, "<configuration/>\n");
    List<String> flags = new ArrayList<>(forJdk17());
    flags.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    flags.add("-Dlogback.configurationFile=" + quiet);
    return new JavaCommand(javaHome, flags, jars, "org.apache.cassandra.tools.NodeTool", List.of());
  }

  private static List<String> forJdk17() {
    Stream<String> lines = Resources.text("cassandra.jvm").lines();
    return lines.filter(line -> !line.startsWith("#")).toList();
  }
}
