package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker on 127.0.0.1, a process that ends with this JVM. Data stay in the folder, and
 * a later start on the same folder finds them, at the same address. Topics are made by {@link
 * #createTopic} only. Thread-safe.
 */
public final class KafkaBroker implements AutoCloseable {
  private static final String NAME = "Kafka";
  private static final String READY = "Kafka Server started";

  private final KafkaOptions options;
  private final KafkaCommand command;
  private final InetSocketAddress clients;
  private volatile @Nullable ServerProcess process;

  private KafkaBroker(KafkaOptions options, KafkaCommand command, InetSocketAddress clients) {
    this.options = options;
    this.command = command;
    this.clients = clients;
  }

  /**
   * The defaults, to be changed.
   *
   * @param folder of this broker alone; made if it is not there
   */
  public static KafkaOptions options(Path folder) {
    return new KafkaOptions(folder.toAbsolutePath().normalize());
  }

  /**
   * Starts a broker; it answers when this returns.
   *
   * @throws SandboxException if the server cannot be had or does not start, with the end of what it
   *     said; nothing runs then
   */
  public static KafkaBroker start(KafkaOptions options) throws InterruptedException {
    List<Path> jars = ServerJars.KAFKA.classPath(options.progress);
    try {
      Files.createDirectories(options.folder);
      Ports ports = Ports.of(options.folder);
      InetAddress ip = CassandraLayout.ip(1);
      InetSocketAddress clients = new InetSocketAddress(ip, ports.get("clients", List.of(ip)));
      InetSocketAddress controller =
          new InetSocketAddress(ip, ports.get("controller", List.of(ip)));
      KafkaCommand command = KafkaCommand.of(options, jars, clients, controller);
      KafkaBroker broker = new KafkaBroker(options, command, clients);
      if (!Files.exists(options.folder.resolve("data").resolve("meta.properties"))) {
        command.format(clusterId()).run(options.folder);
      }
      broker.launch();
      return broker;
    } catch (IOException e) {
      throw new SandboxException(options.folder + " cannot be used: " + e, e);
    }
  }

  /** As in {@code 127.0.0.1:23456}. */
  public String bootstrapServers() {
    return clients.getAddress().getHostAddress() + ":" + clients.getPort();
  }

  /** Makes a topic; returns when it is made. */
  public void createTopic(String name, int partitions) throws InterruptedException {
    topics("--create", "--topic", name, "--partitions", Integer.toString(partitions));
  }

  /** Gives a topic more partitions, so that it has this many. */
  public void addPartitions(String name, int partitions) throws InterruptedException {
    topics("--alter", "--topic", name, "--partitions", Integer.toString(partitions));
  }

  /** Its log, over all its runs. */
  public Path log() {
    return ServerProcess.log(options.folder);
  }

  /** The number of its process, which the next start changes. */
  public long pid() {
    return started().pid();
  }

  /** Whether its process lives; a frozen one does. */
  public boolean isAlive() {
    return started().isAlive();
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
   * Starts it again, after it was stopped or killed; it answers when this returns.
   *
   * @throws SandboxException if that takes too long, or it ends by itself
   * @throws IllegalStateException if it runs
   */
  public void restart() throws InterruptedException {
    if (isAlive()) {
      throw new IllegalStateException(NAME + " runs");
    }
    try {
      launch();
    } catch (IOException e) {
      throw new SandboxException(NAME + " cannot be started: " + e, e);
    }
  }

  /** Stops it in order; returns when it is gone. */
  @Override
  public void close() {
    stop();
  }

  private void launch() throws IOException, InterruptedException {
    options.progress.accept("starting " + NAME);
    ServerProcess fresh = ServerProcess.start(NAME, command.server(), options.folder);
    process = fresh;
    try {
      fresh.await(Deadline.in(options.startPatience), () -> fresh.output().contains(READY));
    } catch (RuntimeException | InterruptedException e) {
      fresh.kill();
      throw e;
    }
  }

  private void topics(String... arguments) throws InterruptedException {
    command.topics(bootstrapServers()).with(arguments).run(options.folder);
  }

  private ServerProcess started() {
    ServerProcess current = process;
    if (current == null) {
      throw new IllegalStateException(NAME + " was never started");
    }
    return current;
  }

  /** In Kafka's form: 16 bytes in Base64; but none that its tool would take for an option. */
  static String clusterId() {
    String id;
    do {
      UUID random = UUID.randomUUID();
      byte[] bytes =
          ByteBuffer.allocate(16)
              .putLong(random.getMostSignificantBits())
              .putLong(random.getLeastSignificantBits())
              .array();
      id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    } while (id.startsWith("-"));
    return id;
  }
}
