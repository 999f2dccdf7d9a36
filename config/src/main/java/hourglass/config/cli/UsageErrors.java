package hourglass.config.cli;

import hourglass.config.settings.NearestKey;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains a wrong command line in two lines, which would be lost in the whole help. */
final class UsageErrors implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    String message =
        wrong instanceof UnmatchedArgumentException unmatched
            ? unknown(command.getCommandSpec(), unmatched.getUnmatched())
            : wrong.getMessage();
    command.getErr().println("hourglass: " + message);
    command
        .getErr()
        .println("hourglass: " + command.getCommandSpec().qualifiedName() + " --help says more");
    command.getErr().flush();
    return ExitCode.USAGE;
  }

  /** Describes the first unknown argument only, since the next is often its value. */
  private static String unknown(CommandSpec command, List<String> unmatched) {
    String name = unmatched.get(0).split("=", 2)[0];
    if (name.startsWith("-")) {
      String settings =
          command.optionsMap().containsKey("--set") ? "; --set KEY=VALUE gives any setting" : "";
      String filter =
          command.positionalParameters().stream()
                      .anyMatch(each -> each.paramLabel().equals("FILTER"))
                  && !name.startsWith("--")
              ? "; to leave a word out, write 'NOT " + name.substring(1) + "'"
              : "";
      return name
          + ": unknown option"
          + nearest(name, command.optionsMap().keySet())
          + settings
          + filter;
    }
    Collection<String> commands = command.subcommands().keySet();
    return name
        + (commands.isEmpty() ? ": not an option" : ": unknown command" + nearest(name, commands));
  }

  /** Returns the nearest known name as part of a sentence, or an empty text if none is similar. */
  private static String nearest(String name, Collection<String> known) {
    if (known.isEmpty()) {
      return "";
    }
    String nearest = NearestKey.to(name, known);
    boolean isLike = NearestKey.distance(name, nearest) <= nearest.length() / 2;
    return isLike ? "; the nearest known one is " + nearest : "";
  }
}
