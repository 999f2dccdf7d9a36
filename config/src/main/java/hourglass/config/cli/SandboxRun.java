package hourglass.config.cli;

import hourglass.config.server.Parts;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.store.sandbox.KafkaBroker;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers of one `hourglass sandbox`, started by the thread that creates this. Closing it is
 * safe at any moment, from any thread.
 */
final class SandboxRun implements AutoCloseable {
  /** The form of a word whose characters have no meaning to any shell. */
  private static final Pattern PLAIN = Pattern.compile("[\\w./:=@%+,-]+");

  private final Thread starter = Thread.currentThread();
  private final CountDownLatch started = new CountDownLatch(1);
  private final Parts parts = new Parts();
  private volatile boolean closing;

  /**
   * Starts the servers and prints the settings that `serve` needs.
   *
   * @param dir the folder of their data; null for a folder that is deleted at the end
   * @throws InterruptedException if this was closed meanwhile
   */
  void start(@Nullable Path dir, int cassandraNodes, boolean kafka, PrintStream out)
      throws IOException, InterruptedException {
    try {
      Path folder = dir == null ? parts.add(TemporaryFolder.create("sandbox")).path() : dir;
      List<String> settings = new ArrayList<>();
      if (cassandraNodes > 0) {
        settings.addAll(cassandra(folder.resolve("cassandra"), cassandraNodes));
      }
      if (kafka) {
        settings.addAll(kafka(folder.resolve("kafka")));
      }
      settings.forEach(setting -> out.println("--set " + shellWord(setting)));
      out.println("ready");
    } finally {
      started.countDown();
    }
  }

  private List<String> cassandra(Path folder, int nodes) throws InterruptedException {
    CassandraCluster cluster =
        parts.add(
            CassandraCluster.start(CassandraCluster.options(folder).nodes(nodes).fullCompiler()));
    String contactPoints =
        cluster.contactPoints().stream()
            .map(SandboxRun::quoted)
            .collect(Collectors.joining(", ", "[", "]"));
    return List.of(
        "store.engine=cassandra",
        "store.cassandra.contact-points=" + contactPoints,
        "store.cassandra.datacenter=" + cluster.datacenter(),
        "store.cassandra.replication=" + nodes);
  }

  private List<String> kafka(Path folder) throws InterruptedException {
    KafkaBroker broker = parts.add(KafkaBroker.start(folder));
    return List.of("kafka.bootstrap-servers=" + broker.bootstrapServers());
  }

  private static String quoted(InetSocketAddress address) {
    return '"' + address.getAddress().getHostAddress() + ':' + address.getPort() + '"';
  }

  static String shellWord(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** Returns whether this is being closed, so that a start that fails now was cancelled. */
  boolean isClosing() {
    return closing;
  }

  /** Cancels a start that is under way, and closes the servers. */
  @Override
  public void close() throws InterruptedException {
    if (Thread.currentThread() != starter) {
      closing = true;
      while (started.getCount() > 0) {
        starter.interrupt();
        started.await(100, TimeUnit.MILLISECONDS);
      }
    }
    parts.close();
  }
}
