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
 * {@code hourglass load}: runs a scenario against a target, or the laboratory. Mount it as a
 * picocli subcommand; results are written to the command line's {@code out}, progress to its {@code
 * err}. Exit codes: 0 done, 1 failed, 2 wrong usage.
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
