package hourglass.store.sandbox;

import java.io.IOException;
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

  private static final String CLIENTS = "clients";
  private static final String CONTROLLER = "controller";

  private final List<Path> jars;
  private final Path folder;
  private final Ports ports;
  private final String address;

  private KafkaBroker(List<Path> jars, Path folder, Ports ports) {
    super("Kafka", java(jars, folder, "kafka.Kafka", 384, properties(folder)), folder);
    this.jars = jars;
    this.folder = folder;
    this.ports = ports;
    this.address = "127.0.0.1:" + ports.get(CLIENTS);
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
      Ports ports = new Ports(own, 1, List.of(CLIENTS, CONTROLLER));
      try {
        KafkaBroker broker = new KafkaBroker(jars, own, ports);
        broker.startWith("127.0.0.1:" + ports.get(CONTROLLER), settings);
        return broker;
      } catch (IOException | RuntimeException | InterruptedException e) {
        ports.close();
        throw e;
      }
    } catch (IOException e) {
      throw new SandboxException(own + " cannot be used: " + e, e);
    }
  }

  private void startWith(String controller, Map<String, String> settings)
      throws IOException, InterruptedException {
    Files.writeString(log4j(folder), JavaCommand.resource("kafka-log4j2.xml"));
    Files.writeString(Path.of(properties(folder)), lines(folder, address, controller, settings));
    if (!Files.exists(folder.resolve("data").resolve("meta.properties"))) {
      run(
          "kafka.tools.StorageTool",
          "format",
          "--standalone",
          "-t",
          clusterId(),
          "-c",
          properties(folder));
    }
    restart();
  }

  public String bootstrapServers() {
    return address;
  }

  public void createTopic(String name, int partitions) throws InterruptedException {
    topic("--create", name, partitions);
  }

  public void addPartitions(String name, int partitions) throws InterruptedException {
    topic("--alter", name, partitions);
  }

  private void topic(String action, String name, int partitions) throws InterruptedException {
    String number = Integer.toString(partitions);
    String main = "org.apache.kafka.tools.TopicCommand";
    run(main, "--bootstrap-server", address, action, "--topic", name, "--partitions", number);
  }

  private void run(String main, String... arguments) throws InterruptedException {
    java(jars, folder, main, 128, arguments).run(folder);
  }

  private static JavaCommand java(
      List<Path> jars, Path folder, String main, int heapMegabytes, String... arguments) {
    List<String> flags =
        List.of(
            "-Xmx" + heapMegabytes + "m",
            "-XX:+UseSerialGC", // the least CPU with a small heap and few cores
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dlog4j2.configurationFile=" + log4j(folder).toUri());
    return new JavaCommand(JavaHome.running(), flags, jars, main, List.of(arguments));
  }

  private static Path log4j(Path folder) {
    return folder.resolve("log4j2.xml");
  }

  private static String properties(Path folder) {
    return folder.resolve("server.properties").toString();
  }

  /**
   * Returns the lines of server.properties. One broker holds one copy, and few consumers join at
   * once.
   */
  private static String lines(
      Path folder, String clients, String controller, Map<String, String> others) {
    String settings =
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.bootstrap.servers=%2$s
        listeners=PLAINTEXT://%1$s,CONTROLLER://%2$s
        controller.listener.names=CONTROLLER
        log.dirs=%3$s
        auto.create.topics.enable=false
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=4
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        group.initial.rebalance.delay.ms=0
        """
            .formatted(
                clients, controller, folder.resolve("data").toString().replace("\\", "\\\\"));
    return JavaCommand.lines(settings, "=", others);
  }

  /**
   * Starts the broker again, after it was stopped or killed. The broker answers when this returns.
   *
   * @throws SandboxException if that takes too long, or the broker ends by itself
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
    try (ports) {
      stop();
    }
  }

  /**
   * Returns 16 random bytes in Base64. Kafka's tool would read a text that begins with a hyphen as
   * an option.
   */
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
