package hourglass.load.client;

import hourglass.load.command.LoadTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a client reaches its targets, and the file for the figures of its report. */
public final class ClientOptions {
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
      names = "--json",
      description = "Writes every figure and setting of the report to this file.")
  public @Nullable Path json;

  @Option(
      names = "--timeout",
      defaultValue = "60s",
      description = "A request without a byte for this long has failed.")
  Duration timeout;

  /** A client of some targets; see {@link TargetClient}. */
  public TargetClient of(List<URI> pushTargets, URI queryTarget, int connections) {
    return new TargetClient(pushTargets, queryTarget, connections, timeout, caFile, secret());
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

  public void check(LoadTask command) {
    checkReadable(command, "--ca-file", caFile);
    checkReadable(command, "--key-file", keyFile);
    command.requireFile("--json", json);
    command.require(!timeout.isZero(), "--timeout", "0", "more than 0");
  }

  private static void checkReadable(LoadTask command, String option, @Nullable Path file) {
    boolean right = file == null || Files.isReadable(file);
    command.require(right, option, file, "a file that can be read");
  }
}
