package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

record KafkaCommand(List<Path> jars, Path properties, Path log4j, String clients) {
  static KafkaCommand of(
      Path folder,
      Map<String, String> settings,
      List<Path> jars,
      InetSocketAddress clients,
      InetSocketAddress controller)
      throws IOException {
    Path properties = folder.resolve("server.properties");
    Path log4j = folder.resolve("log4j2.xml");
    Files.writeString(log4j, JavaCommand.resource("kafka-log4j2.xml"));
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("process.roles", "broker,controller");
    lines.put("node.id", "1");
    lines.put("controller.quorum.bootstrap.servers", text(controller));
    lines.put("listeners", "PLAINTEXT://" + text(clients) + ",CONTROLLER://" + text(controller));
    lines.put("controller.listener.names", "CONTROLLER");
    lines.put("log.dirs", folder.resolve("data").toString().replace("\\", "\\\\"));
    lines.put("auto.create.topics.enable", "false");
    // One broker holds one copy.
    lines.put("offsets.topic.replication.factor", "1");
    lines.put("offsets.topic.num.partitions", "4");
    lines.put("transaction.state.log.replication.factor", "1");
    lines.put("transaction.state.log.min.isr", "1");
    lines.put("share.coordinator.state.topic.replication.factor", "1");
    lines.put("share.coordinator.state.topic.min.isr", "1");
    // Few consumers, which join at once.
    lines.put("group.initial.rebalance.delay.ms", "0");
    lines.putAll(settings);
    Files.writeString(properties, JavaCommand.lines(lines, "="));
    return new KafkaCommand(jars, properties, log4j, text(clients));
  }

  JavaCommand server() {
    return java("kafka.Kafka", 384, properties.toString());
  }

  JavaCommand format(String clusterId) {
    return java("kafka.tools.StorageTool", 128, "format", "--standalone", "-t", clusterId)
        .with("-c", properties.toString());
  }

  JavaCommand topics() {
    return java("org.apache.kafka.tools.TopicCommand", 128, "--bootstrap-server", clients);
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

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }
}
