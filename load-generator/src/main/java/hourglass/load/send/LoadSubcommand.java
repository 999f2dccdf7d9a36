package hourglass.load.send;

import hourglass.load.client.TargetOptions;
import hourglass.load.command.Durations;
import hourglass.load.command.LoadTask;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The base of subcommands that load a target from outside. */
public abstract class LoadSubcommand extends LoadTask {
  @Mixin public TargetOptions target;

  @Option(
      names = "--settle",
      paramLabel = "DURATION",
      defaultValue = "3s",
      converter = Durations.class,
      description = "How long after the last answer the server's figures are still counted.")
  public Duration settle;

  public Map<String, @Nullable Object> targetFigures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>(target.figures());
    figures.put("settle_seconds", settle.toMillis() / 1e3);
    return figures;
  }
}
