package hourglass.config.cli;

import hourglass.config.backup.BackupCommands;
import hourglass.config.backup.CheckCommand;
import hourglass.config.backup.RestoreCommand;
import hourglass.config.gate.keys.KeyCommand;
import hourglass.config.server.StartException;
import hourglass.config.server.Version;
import hourglass.config.settings.SettingsException;
import hourglass.config.terminal.Terminal;
import hourglass.load.LoadCommand;
import hourglass.load.importing.ImportCommand;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command line. Results are printed to stdout, logs to stderr. The exit codes are 0 for done, 1
 * for failed, 2 for wrong usage or settings.
 */
@Command(
    name = "hourglass",
    description = "A time-series event log: push events over HTTP, read them back by the hour.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    subcommands = {
      DemoCommand.class,
      ServeCommand.class,
      LoadCommand.class,
      KeyCommand.class,
      CheckCommand.class,
      RestoreCommand.class,
      SandboxCommand.class,
      Main.CompletionCommand.class,
      Main.VersionCommand.class,
      HelpCommand.class
    })
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    CommandLine line = commandLine(args);
    return line.setExpandAtFiles(false)
        .setExecutionExceptionHandler(Main::explain)
        .setParameterExceptionHandler(new UsageErrors())
        .execute(Terminal.withFilters(line, args));
  }

  private static CommandLine commandLine(String[] args) {
    Terminal terminal = Terminal.ofProcess();
    if (Terminal.isAskedBy(args)) {
      CommandLine one = BackupCommands.addTo(terminal.commandLine(args[0]));
      one.getSubcommands()
          .values()
          .forEach(each -> each.getCommandSpec().versionProvider(new Version()));
      return one;
    }
    CommandLine all = new CommandLine(new Main(), new Commands());
    terminal.addTo(all);
    BackupCommands.addTo(all);
    all.addSubcommand(new CommandLine(Commands.ofProcess(new ImportCommand(System.in))));
    return all;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "which command? " + String.join(", ", spec.subcommands().keySet()));
  }

  /** Explains a failure in one line. Only an unexpected one is logged with a stack trace. */
  private static int explain(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof SettingsException settings) {
      settings.problems().forEach(problem -> command.getErr().println("hourglass: " + problem));
      return ExitCode.USAGE;
    }
    if (e instanceof StartException) {
      command.getErr().println("hourglass: " + e.getMessage());
    } else {
      LoggerFactory.getLogger(Main.class).error("{} failed", command.getCommandName(), e);
    }
    return ExitCode.SOFTWARE;
  }

  @Command(name = "version", description = "Says which version this is.")
  static final class VersionCommand implements Callable<Integer> {
    @Override
    public Integer call() {
      System.out.println(new Version().getVersion()[0]);
      return 0;
    }
  }

  @Command(
      name = "completion",
      description = {
        "Prints the completion of commands and options for bash and zsh.",
        "For this shell: source <(hourglass completion)"
      })
  static final class CompletionCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // picocli fills it
    CompletionCommand() {}

    @Override
    public Integer call() {
      System.out.print(AutoComplete.bash("hourglass", spec.root().commandLine()));
      return 0;
    }
  }
}
