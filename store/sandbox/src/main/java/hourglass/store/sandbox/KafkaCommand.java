package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The command lines of Kafka's programs, and the files that they read. */
final class KafkaCommand {
  private final KafkaOptions options;
  private final List<Path> jars;
  private final Path properties;
  private final Path log4j;

  private KafkaCommand(KafkaOptions options, List<Path> jars) {
    this.options = options;
    this.jars = jars;
    this.properties = options.folder.resolve("server.properties");
    this.log4j = options.folder.resolve("log4j2.xml");
  }

  /** Writes the settings of the broker. */
  static KafkaCommand of(
      KafkaOptions options,
      List<Path> jars,
      InetSocketAddress clients,
      InetSocketAddress controller)
      throws IOException {
    KafkaCommand command = new KafkaCommand(options, jars);
    Files.writeString(command.log4j, Resources.text("kafka-log4j2.xml"));
    Files.writeString(command.properties, command.settings(text(clients), text(controller)));
    return command;
  }

  /** The broker, which is its own controller. */
  JavaCommand server() {
    return java("kafka.Kafka", options.heapMegabytes, properties.toString());
  }

  /** Makes the folder one that the broker takes. */
  JavaCommand format(String clusterId) {
    return java("kafka.tools.StorageTool", 128, "format", "--standalone", "-t", clusterId)
        .with("-c", properties.toString());
  }

  JavaCommand topics(String bootstrapServers) {
    return java("org.apache.kafka.tools.TopicCommand", 128, "--bootstrap-server", bootstrapServers);
  }

  private JavaCommand java(String main, int heapMegabytes, String... arguments) {
    List<String> flags =
        List.of(
            "-Xmx" + heapMegabytes + "m",
            "-XX:+UseSerialGC", // the least CPU with a small heap and few cores
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dlog4j2.configurationFile=" + log4j.toUri());
    return new JavaCommand(JavaHome.running(), flags, jars, main, List.of(arguments));
  }

  private String settings(String clients, String controller) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("process.roles", "broker,controller");
    lines.put("node.id", "1");
    lines.put("controller.quorum.bootstrap.servers", controller);
    lines.put("listeners", "PLAINTEXT://" + clients + ",CONTROLLER://" + controller);
    lines.put("controller.listener.names", "CONTROLLER");
    lines.put("log.dirs", options.folder.resolve("data").toString().replace("\\", "\\\\"));
    lines.put("auto.create.topics.enable", "false");
    // One broker, so one copy of everything.
    lines.put("offsets.topic.replication.factor", "1");
    lines.put("offsets.topic.num.partitions", "4");
    lines.put("transaction.state.log.replication.factor", "1");
    lines.put("transaction.state.log.min.isr", "1");
    lines.put("share.coordinator.state.topic.replication.factor", "1");
    lines.put("share.coordinator.state.topic.min.isr", "1");
    // Few consumers, which join at once.
    lines.put("group.initial.rebalance.delay.ms", "0");
    lines.putAll(options.settings);
    return lines.entrySet().stream()
        .map(line -> line.getKey() + "=" + line.getValue() + "\n")
        .collect(Collectors.joining());
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }
}
