package hourglass.verify;

import hourglass.store.sandbox.CassandraCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servers that the tests of several modules share. Each is started when a test first asks for
 * it, and ends with the run. Tests that kill a server start their own. Thread-safe.
 */
final class Servers implements AutoCloseable {
  private @Nullable Path folder;
  private @Nullable CassandraCluster cassandra;
  private @Nullable String broken;

  /** Returns the {@code HOST:PORT} of a server, or {@code error REASON}. */
  synchronized String address(String name) {
    if (!name.equals("cassandra")) {
      return "error there is no server \"" + name + "\"";
    }
    try {
      if (cassandra == null && broken == null) {
        folder = Files.createTempDirectory("hourglass-verify-");
        cassandra =
            CassandraCluster.start(
                CassandraCluster.options(folder.resolve("cassandra")).forgetful());
      }
    } catch (IOException | RuntimeException e) {
      broken = e.toString().replace('\n', ' ');
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      broken = "the run is ending";
    }
    if (cassandra == null) {
      return "error " + broken;
    }
    var node = cassandra.contactPoints().get(0);
    return node.getAddress().getHostAddress() + ":" + node.getPort();
  }

  /** Kills the servers, because none of their data has to survive, and deletes their files. */
  @Override
  public synchronized void close() {
    if (cassandra != null) {
      cassandra.node(1).kill();
      cassandra.close();
      cassandra = null;
    }
    if (folder != null) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        System.err.println(folder + " is left: " + e);
      }
      folder = null;
    }
  }
}
