package hourglass.program.cassandra;

import hourglass.program.ServerProcess;
import hourglass.program.SetClockServe;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.testing.FreePorts;
import hourglass.testing.SetClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Three nodes, two servers that take and answer, and two sealers. The second of each has a clock
 * that is ahead. What was killed comes back in the background, one of a kind at a time.
 */
final class SealingCluster implements AutoCloseable {
  static final Duration SKEW = Duration.ofMinutes(20);

  /** The least that the skew allows, and half an hour more. */
  private static final Duration SEAL_AFTER = Duration.ofMinutes(60);

  /** The grace period by monotonic clocks, which nobody sets; queries end before it. */
  static final Duration GRACE = Duration.ofSeconds(4);

  private final CassandraCluster nodes = ThreeNodes.cluster();
  private final Path folder;
  private final Path clock;
  private final String[] settings;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<ServerProcess> servers = new CopyOnWriteArrayList<>();
  private final List<CompletableFuture<SealerProcess>> sealers = new ArrayList<>();
  private final List<Future<?>> work = new ArrayList<>();
  private Duration ahead;
  private int nodeDown;
  private Future<?> nodeRestart = CompletableFuture.completedFuture(null);

  SealingCluster(Path folder, Instant now) throws IOException {
    this.folder = folder;
    this.clock = folder.resolve("clock");
    this.ahead = Duration.between(Instant.now(), now);
    this.settings =
        CassandraRun.settings(
            nodes,
            "store.cassandra.keyspace=sealing",
            "constant.sealAfterMillis=" + SEAL_AFTER.toMillis(),
            "constant.trustForMillis=500",
            "constant.replaceGraceMillis=" + GRACE.toMillis(),
            "query.timeout=" + GRACE.toSeconds() + "s",
            "bucketing.shards=1");
    SetClock.set(clock, ahead);
    try {
      // The first one makes the tables.
      servers.add(startServer(Duration.ZERO));
      CompletableFuture<ServerProcess> second = call(() -> startServer(SKEW));
      sealers.add(call(() -> startSealer(0)));
      sealers.add(call(() -> startSealer(1)));
      servers.add(second.join());
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private ServerProcess startServer(Duration clockAhead) throws IOException {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("http.port=" + FreePorts.next()); // the same after each restart
    Path own = Files.createTempDirectory(folder, "server");
    return SetClockServe.start(own, clock, clockAhead, all.toArray(String[]::new)).awaitReady();
  }

  private SealerProcess startSealer(int sealer) throws IOException {
    return SealerProcess.start(folder, clock, SKEW.multipliedBy(sealer), settings);
  }

  /** Runs in the background. */
  <T> CompletableFuture<T> call(Callable<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            result.complete(task.call());
          } catch (Exception | Error e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  /** Runs in the background until {@link #join}. */
  Future<?> begin(Callable<?> task) {
    Future<?> begun = call(task);
    work.add(begun);
    return begun;
  }

  /** Waits for all background tasks; fails if one failed. */
  void join() throws Exception {
    for (Future<?> begun : work) {
      begun.get();
    }
    work.clear();
  }

  /** Returns the time by the clocks that are not ahead. */
  Instant now() {
    return Instant.now().plus(ahead);
  }

  /** Advances all clocks at once. */
  void pass(Duration time) throws IOException {
    ahead = ahead.plus(time);
    SetClock.set(clock, ahead);
  }

  /** A view; a server that is away stays in it, at its address. */
  List<ServerProcess> servers() {
    return servers;
  }

  /** Waits for its start. */
  SealerProcess sealer(int number) {
    return sealers.get(number).join();
  }

  /** Starts a sealer in place of a dead one. */
  void replaceSealer(int number) {
    sealers.set(number, call(() -> startSealer(number)));
  }

  void killServer(int number) throws InterruptedException {
    servers.get(number).kill();
    begin(() -> servers.set(number, servers.get(number).restart().awaitReady()));
  }

  /** Kills a node after the previous one is back. */
  void killNode(int number) throws Exception {
    restartNode();
    nodeRestart.get();
    nodes.node(number).kill();
    nodeDown = number;
  }

  /** Restarts a stopped node in the background. */
  void restartNode() {
    int number = nodeDown;
    if (number > 0) {
      nodeDown = 0;
      nodeRestart =
          call(
              () -> {
                nodes.node(number).restart();
                return null;
              });
    }
  }

  void awaitNodes() throws Exception {
    restartNode();
    nodeRestart.get();
  }

  @Override
  public void close() {
    servers.forEach(ServerProcess::close);
    for (CompletableFuture<SealerProcess> sealer : sealers) {
      var unused = sealer.thenAccept(SealerProcess::close);
    }
    threads.shutdown();
  }
}
