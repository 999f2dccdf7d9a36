package hourglass.load;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whom to load, and where the figures go. */
final class TargetOptions {
  @Option(
      names = "--target",
      paramLabel = "URL",
      split = ",",
      defaultValue = "http://127.0.0.1:8080",
      description =
          "The server to load, over HTTP. Several, with commas: connections begin with one after the"
              + " other, and a batch that one does not take is tried with the next.")
  @SuppressWarnings("NullAway.Init") // has a default
  List<URI> urls;

  @Option(
      names = "--query-target",
      paramLabel = "URL",
      description =
          "The server to read back from, where those that take events answer no queries. Default: the"
              + " first target.")
  private @Nullable URI queryUrl;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes every figure and setting of the report to this file.")
  @Nullable Path json;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "60s",
      converter = Durations.class,
      description = "A request without a byte for that long has failed.")
  @SuppressWarnings("NullAway.Init") // has a default
  Duration timeout;

  @Option(
      names = "--settle",
      paramLabel = "DURATION",
      defaultValue = "3s",
      converter = Durations.class,
      description = "How long after the last answer the server's figures are still counted.")
  @SuppressWarnings("NullAway.Init") // has a default
  Duration settle;

  Map<String, @Nullable Object> figures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("query_target", queryUrl().toString());
    figures.put("timeout_seconds", timeout.toMillis() / 1e3);
    figures.put("settle_seconds", settle.toMillis() / 1e3);
    return figures;
  }

  /** The targets, as they were named. */
  String text() {
    return urls.stream().map(URI::toString).collect(Collectors.joining(","));
  }

  TargetClient client(int connections) {
    return new TargetClient(urls, queryUrl(), connections, timeout);
  }

  private URI queryUrl() {
    return queryUrl == null ? urls.get(0) : queryUrl;
  }

  void check(LoadSubcommand command) {
    urls.forEach(url -> command.require(isHttp(url), "--target", url, "http://HOST:PORT"));
    command.require(isHttp(queryUrl()), "--query-target", queryUrl, "http://HOST:PORT");
    command.require(!timeout.isZero(), "--timeout", "0", "more than 0");
  }

  private static boolean isHttp(URI url) {
    return "http".equals(url.getScheme()) && url.getHost() != null;
  }
}
