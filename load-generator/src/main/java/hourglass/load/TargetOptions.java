package hourglass.load;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whom to load, and where the figures go. */
final class TargetOptions {
  @Option(
      names = "--target",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      description = "The server to load, over HTTP.")
  @SuppressWarnings("NullAway.Init") // has a default
  URI url;

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
    figures.put("timeout_seconds", timeout.toMillis() / 1e3);
    figures.put("settle_seconds", settle.toMillis() / 1e3);
    return figures;
  }

  void check(LoadSubcommand command) {
    boolean http = "http".equals(url.getScheme()) && url.getHost() != null;
    command.require(http, "--target", url, "http://HOST:PORT");
    command.require(!timeout.isZero(), "--timeout", "0", "more than 0");
  }
}
