package hourglass.config.cli;

import hourglass.config.server.StartException;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.store.sandbox.SandboxException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "sandbox",
    description =
        "Starts real servers on loopback addresses, prints the settings that `serve` needs to use"
            + " them, a line each, then `ready`, and ends them on SIGTERM or SIGINT.")
final class SandboxCommand implements Callable<Integer> {
  @Option(
      names = "--cassandra",
      paramLabel = "N",
      description = "a cluster of N nodes of Apache Cassandra, 1 to 3")
  private @Nullable Integer cassandraNodes;

  @Option(names = "--kafka", description = "a broker of Apache Kafka")
  private boolean kafka;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "keep the servers' data there, for the next start too (default: a temporary folder,"
              + " deleted at the end)")
  private @Nullable Path dir;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  private SandboxCommand() {}

  @Override
  public Integer call() throws Exception {
    if (cassandraNodes == null && !kafka) {
      throw new ParameterException(
          spec.commandLine(), "which servers? --cassandra N, --kafka, or both");
    }
    if (cassandraNodes != null
        && (cassandraNodes < 1 || cassandraNodes > CassandraCluster.NODES_MAX)) {
      throw new ParameterException(
          spec.commandLine(),
          "--cassandra " + cassandraNodes + ": want 1 to " + CassandraCluster.NODES_MAX + " nodes");
    }
    Termination termination = Termination.install();
    SandboxRun run = new SandboxRun();
    termination.closes(run);
    try (run) {
      run.start(dir, cassandraNodes == null ? 0 : cassandraNodes, kafka, System.out);
      Termination.await();
    } catch (Exception e) {
      if (run.isClosing()) {
        // A signal cancelled the start. The thread that handles it ends the process once everything
        // is closed.
        new CompletableFuture<Void>().join();
      }
      throw e instanceof SandboxException
          ? new StartException(String.valueOf(e.getMessage()), e)
          : e;
    }
    return 0;
  }
}
