package hourglass.load.client;

import hourglass.load.command.LoadTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The target of a run, and the file for its figures. */
public final class TargetOptions {
  private static final URI SERVER = URI.create("http://127.0.0.1:8080");

  @Option(
      names = "--target",
      paramLabel = "URL",
      split = ",",
      defaultValue = "http://127.0.0.1:8080",
      description =
          "The server to load, over HTTP; import takes HOURGLASS_TARGET by default. Several, with"
              + " commas: connections begin with one after the other, and a batch that one does not"
              + " take is tried with the next. Or one topic, kafka://HOST:PORT/TOPIC: each event"
              + " becomes a record, and the run ends when the group has committed it.")
  List<URI> urls;

  @Option(
      names = "--query-target",
      paramLabel = "URL",
      description =
          "The server to read back from, where those that take events answer no queries. Default: the"
              + " first target, or http://127.0.0.1:8080 where that is a topic.")
  private URI queryUrl;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      defaultValue = "${env:HOURGLASS_CA_FILE}",
      description =
          "A file in PEM with the certificate of an https:// target, or its authority's, to be trusted"
              + " alone. Default: HOURGLASS_CA_FILE, or what Java trusts.")
  private @Nullable Path caFile;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "A file with the secret of a key, which is sent to the target. Default: HOURGLASS_KEY.")
  private @Nullable Path keyFile;

  /** Only by its variable, since others see the arguments of a process. */
  @Option(names = "--key-of-environment", hidden = true, defaultValue = "${env:HOURGLASS_KEY}")
  private @Nullable String key;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description = "The group that the servers consume a topic with: kafka.group.")
  private String group = "hourglass";

  @Option(
      names = "--json",
      description = "Writes every figure and setting of the report to this file.")
  public @Nullable Path json;

  @Option(
      names = "--timeout",
      defaultValue = "60s",
      description = "A request without a byte for this long has failed.")
  Duration timeout;

  public String text() {
    return urls.stream().map(URI::toString).collect(Collectors.joining(","));
  }

  public TargetClient client(int connections) {
    return new TargetClient(
        isTopic() ? List.of(queryUrl) : urls, queryUrl, connections, timeout, caFile, secret());
  }

  /** Null: none. */
  private @Nullable String secret() {
    if (keyFile == null) {
      return key == null || key.isBlank() ? null : key.strip();
    }
    try {
      return Files.readString(keyFile).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The client itself if the target is a server. */
  public Destination destination(TargetClient client, String compression, Duration patience) {
    return isTopic() ? new KafkaTopic(urls.get(0), group, compression, patience) : client;
  }

  public boolean isTopic() {
    return KafkaTopic.isNamed(urls.get(0));
  }

  /** Also sets the query target, unless it was given. */
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
    checkReadable(command, "--ca-file", caFile);
    checkReadable(command, "--key-file", keyFile);
    command.requireFile("--json", json);
    command.require(!timeout.isZero(), "--timeout", "0", "more than 0");
  }

  private static void checkReadable(LoadTask command, String option, @Nullable Path file) {
    boolean right = file == null || Files.isReadable(file);
    command.require(right, option, file, "a file that can be read");
  }

  private static boolean isHttp(URI url) {
    boolean isHttp = "http".equals(url.getScheme()) || TargetClient.isSecure(url);
    return isHttp && url.getHost() != null;
  }
}
