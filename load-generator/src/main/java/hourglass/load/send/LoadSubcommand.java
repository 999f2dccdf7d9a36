package hourglass.load.send;

import hourglass.load.client.TargetOptions;
import hourglass.load.command.HtmlReport;
import hourglass.load.command.LoadTask;
import java.time.Duration;
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

  @Mixin public HtmlReport html;

  protected void checkTarget() {
    target.check(this);
    html.check(this);
  }
}
