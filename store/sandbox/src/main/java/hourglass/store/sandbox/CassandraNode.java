package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One node of a {@link CassandraCluster}. Thread-safe. */
public final class CassandraNode {
  private final CassandraCluster cluster;
  private final int number;
  private final InetSocketAddress clients;
  private final JavaCommand command;
  private final Path folder;
  private volatile @Nullable ServerProcess process;

  CassandraNode(
      CassandraCluster cluster,
      int number,
      InetSocketAddress clients,
      JavaCommand command,
      Path folder) {
    this.cluster = cluster;
    this.number = number;
    this.clients = clients;
    this.command = command;
    this.folder = folder;
  }

  /** Where clients reach it. */
  public InetSocketAddress address() {
    return clients;
  }

  /** Its log, over all its runs. */
  public Path log() {
    return ServerProcess.log(folder);
  }

  /** The number of its process, which the next start changes. */
  public long pid() {
    return started().pid();
  }

  /** Whether its process lives; a frozen one does. */
  public boolean isAlive() {
    ServerProcess current = process;
    return current != null && current.isAlive();
  }

  /** SIGKILL; returns when it is gone. */
  public void kill() {
    started().kill();
  }

  /** SIGSTOP: connections stay, nothing is answered. Returns when it stands still. */
  public void freeze() {
    started().freeze();
  }

  /** SIGCONT. */
  public void thaw() {
    started().thaw();
  }

  /** SIGTERM; returns when it is gone. */
  public void stop() {
    started().stop();
  }

  /**
   * Starts it again, after it was stopped or killed. Returns when it answers, and it and the other
   * nodes that run see each other.
   *
   * @throws SandboxException if that takes too long, or it ends by itself
   * @throws IllegalStateException if it runs
   */
  public void restart() throws InterruptedException {
    if (isAlive()) {
      throw new IllegalStateException(name() + " runs");
    }
    cluster.restart(this);
  }

  String name() {
    return "Cassandra node " + number;
  }

  int number() {
    return number;
  }

  /** Whether it can answer. */
  boolean runs() {
    ServerProcess current = process;
    return current != null && current.isAlive() && !current.isFrozen();
  }

  void launch() throws IOException {
    Files.createDirectories(folder);
    process = ServerProcess.start(name(), command, folder);
  }

  ServerProcess started() {
    ServerProcess current = process;
    if (current == null) {
      throw new IllegalStateException(name() + " was never started");
    }
    return current;
  }

  /** Its output in this run. */
  String output() {
    return started().output();
  }
}
