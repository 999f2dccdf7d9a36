package hourglass.load.send;

import hourglass.load.client.TargetOptions;
import hourglass.load.command.LoadTask;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The base of subcommands that load a target from outside. */
public abstract class LoadSubcommand extends LoadTask {
  @Mixin public TargetOptions target;

  @Option(
      names = "--settle",
      defaultValue = "3s",
      description = "How long after the last answer the server's figures are still counted.")
  public Duration settle;

  @Option(
      names = "--html",
      description = "Writes the report with charts to this file, which needs no network.")
  public @Nullable Path html;

  protected void checkTarget() {
    target.check(this);
    requireFile("--html", html);
  }
}
