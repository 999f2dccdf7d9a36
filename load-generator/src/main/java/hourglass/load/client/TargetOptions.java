package hourglass.load.client;

import hourglass.command.ServerOptions;
import hourglass.load.command.LoadTask;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the target of a run. */
public final class TargetOptions {
  private static final URI SERVER = URI.create(ServerOptions.DEFAULT);

  @Option(
      names = "--target",
      paramLabel = "URL",
      split = ",",
      defaultValue = ServerOptions.DEFAULT,
      description =
          "The server to load, over HTTP. Several, with commas: connections begin with one after"
              + " the other, and a batch that one does not take is tried with the next. Or one"
              + " topic, kafka://HOST:PORT/TOPIC: each event becomes a record, and the run ends"
              + " when the group has committed it.")
  List<URI> urls;

  @Option(
      names = "--query-target",
      paramLabel = "URL",
      description =
          "The server to read back from, where those that take events answer no queries. Default:"
              + " the first target, or "
              + ServerOptions.DEFAULT
              + " where that is a topic.")
  private URI queryUrl;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description = "The group that the servers consume a topic with: kafka.group.")
  private String group = "hourglass";

  @Mixin public ClientOptions client;

  public String text() {
    return urls.stream().map(URI::toString).collect(Collectors.joining(","));
  }

  public TargetClient client(int connections, Map<String, String> environment) {
    return client.of(isTopic() ? List.of(queryUrl) : urls, queryUrl, connections, environment);
  }

  /** Returns the topic, or the client itself if the target is a server. */
  public Destination destination(TargetClient client, String compression, Duration patience) {
    return isTopic() ? new KafkaTopic(urls.get(0), group, compression, patience) : client;
  }

  public boolean isTopic() {
    return KafkaTopic.isNamed(urls.get(0));
  }

  /** Checks the options. Sets the query target too, unless it was given. */
  public void check(LoadTask command) {
    if (isTopic()) {
      command.require(
          urls.size() == 1 && KafkaTopic.isWhole(urls.get(0)),
          "--target",
          text(),
          "one kafka://HOST:PORT/TOPIC");
    } else {
      urls.forEach(
          url ->
              command.require(
                  isHttp(url), "--target", url, "http(s)://HOST:PORT or kafka://HOST:PORT/TOPIC"));
    }
    if (queryUrl == null) {
      queryUrl = isTopic() ? SERVER : urls.get(0);
    }
    command.require(isHttp(queryUrl), "--query-target", queryUrl, "http(s)://HOST:PORT");
    client.check(command);
  }

  public static boolean isHttp(URI url) {
    boolean isHttp = "http".equals(url.getScheme()) || TargetClient.isSecure(url);
    return isHttp && url.getHost() != null;
  }
}
