package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A real Kafka broker on 127.0.0.1, a process that ends with this JVM. A later start on the same
 * folder finds its data and has the same address. Only {@link #createTopic} makes topics.
 * Thread-safe.
 */
public final class KafkaBroker extends SandboxServer implements AutoCloseable {
  private static final String READY = "Kafka Server started";

  private final KafkaCommand command;
  private final Path folder;

  private KafkaBroker(KafkaCommand command, Path folder) {
    super("Kafka", command.server(), folder);
    this.command = command;
    this.folder = folder;
  }

  public static KafkaBroker start(Path folder) throws InterruptedException {
    return start(folder, Map.of());
  }

  /**
   * Starts a broker; it answers when this returns.
   *
   * @param folder of this broker alone; created if missing
   * @param settings added to server.properties, or replaced there
   * @throws SandboxException if the server is missing or does not start, with the end of its log
   */
  public static KafkaBroker start(Path folder, Map<String, String> settings)
      throws InterruptedException {
    List<Path> jars = ServerJars.KAFKA.classPath();
    Path own = folder.toAbsolutePath().normalize();
    try {
      Files.createDirectories(own);
      Ports ports = Ports.of(own);
      InetAddress ip = Ports.loopback(1);
      KafkaCommand command =
          KafkaCommand.of(
              own,
              settings,
              jars,
              new InetSocketAddress(ip, ports.get("clients", List.of(ip))),
              new InetSocketAddress(ip, ports.get("controller", List.of(ip))));
      if (!Files.exists(own.resolve("data").resolve("meta.properties"))) {
        command.format(clusterId()).run(own);
      }
      KafkaBroker broker = new KafkaBroker(command, own);
      broker.restart();
      return broker;
    } catch (IOException e) {
      throw new SandboxException(own + " cannot be used: " + e, e);
    }
  }

  public String bootstrapServers() {
    return command.clients();
  }

  public void createTopic(String name, int partitions) throws InterruptedException {
    topics("--create", "--topic", name, "--partitions", Integer.toString(partitions));
  }

  public void addPartitions(String name, int partitions) throws InterruptedException {
    topics("--alter", "--topic", name, "--partitions", Integer.toString(partitions));
  }

  private void topics(String... arguments) throws InterruptedException {
    command.topics().with(arguments).run(folder);
  }

  /**
   * Starts it again, after it was stopped or killed; it answers when this returns.
   *
   * @throws SandboxException if that takes too long, or it ends by itself
   */
  public void restart() throws InterruptedException {
    requireEnded();
    launch();
    try {
      await(startEndNanos(), () -> output().contains(READY));
    } catch (RuntimeException | InterruptedException e) {
      kill();
      throw e;
    }
  }

  @Override
  public void close() {
    stop();
  }

  /** 16 bytes in Base64, but none that Kafka's tool would take for an option. */
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
