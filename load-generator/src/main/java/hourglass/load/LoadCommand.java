package hourglass.load;

import hourglass.load.bench.BenchCommand;
import hourglass.load.canary.CanaryCommand;
import hourglass.load.lab.CompareCommand;
import hourglass.load.lab.SimulateCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code hourglass load}, which runs a scenario against a target, or the laboratory.
 * Mount it as a picocli subcommand. Results are written to the command line's {@code out}, progress
 * to its {@code err}. The exit codes are 0 for done, 1 for failed, 2 for wrong usage.
 */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    description = "Loads a running Hourglass, verifies it, or compares layouts of rows.",
    synopsisSubcommandLabel = "replay|generate|bench|canary|compare|simulate",
    subcommands = {
      ReplayCommand.class,
      GenerateCommand.class,
      BenchCommand.class,
      CanaryCommand.class,
      CompareCommand.class,
      SimulateCommand.class
    })
public final class LoadCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "load: want a scenario: replay, generate, bench, canary, compare or simulate");
  }
}
