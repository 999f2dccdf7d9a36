package hourglass.load.client;

import hourglass.command.AccessOptions;
import hourglass.load.command.JsonReport;
import hourglass.load.command.LoadTask;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for reaching targets, and for the figures of the report. */
public final class ClientOptions {
  @Mixin private AccessOptions access = new AccessOptions();

  @Mixin public JsonReport json = new JsonReport();

  @Option(
      names = "--timeout",
      defaultValue = "60s",
      description = "A request without a byte for this long has failed.")
  Duration timeout;

  /** Returns a client of some targets; see {@link TargetClient}. */
  public TargetClient of(
      List<URI> pushTargets, URI queryTarget, int connections, Map<String, String> environment) {
    return new TargetClient(
        pushTargets,
        queryTarget,
        connections,
        timeout,
        access.caFile(environment),
        access.key(environment));
  }

  public void check(LoadTask command) {
    Path caFile = access.caFile(command.environment);
    boolean isReadable = caFile == null || Files.isReadable(caFile);
    command.require(isReadable, access.caFileName(), caFile, "a file that can be read");
    var unused = access.key(command.environment); // reports a wrong key before the run begins
    json.check(command);
    command.require(!timeout.isZero(), "--timeout", "0", "more than 0");
  }
}
