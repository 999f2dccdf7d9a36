package hourglass.config.terminal;

import hourglass.command.ProgressLine;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The commands that ask a server, and their surroundings.
 *
 * @param out takes answers, byte for byte; an error of it is not hidden, as {@code System.out} does
 * @param isInteractive whether a person reads {@code out}
 * @param environment HOURGLASS_TARGET, HOURGLASS_KEY, HOURGLASS_CA_FILE and NO_COLOR
 */
public record Terminal(
    OutputStream out, boolean isInteractive, Map<String, String> environment, Clock clock) {
  private static final List<String> COMMANDS =
      List.of("query", "tail", "hits", "stats", "top", "fields", "types");

  public static Terminal ofProcess() {
    return new Terminal(
        new FileOutputStream(FileDescriptor.out),
        Boolean.getBoolean("hourglass.terminal") || ProgressLine.isTerminal(),
        System.getenv(),
        Clock.systemUTC());
  }

  /** A name before a colon or a sign, or a text in quotes. */
  private static final Pattern NEGATION =
      Pattern.compile("-(?:[\\p{L}\\w@$`][\\p{L}\\w@$`. -]*(?:[:<>]|!=)|\"|\\()");

  /** Whether the arguments of the process are one of these commands. */
  public static boolean isAskedBy(String[] arguments) {
    return arguments.length > 0 && COMMANDS.contains(arguments[0]);
  }

  /**
   * A command line with one of the commands. The models of all others, which are read from their
   * classes, would take longer than most answers.
   */
  public CommandLine commandLine(String command) {
    CommandLine hourglass = new CommandLine(CommandSpec.create().name("hourglass"));
    return hourglass.addSubcommand(command, new CommandLine(create(command)));
  }

  /**
   * The arguments with a blank before each filter that begins with a negation, as {@code
   * -path:/health}, so that it is not taken for an option.
   */
  public static String[] withFilters(CommandLine hourglass, String[] arguments) {
    if (!isAskedBy(arguments)) {
      return arguments;
    }
    String[] all = arguments.clone();
    CommandLine command = Objects.requireNonNull(hourglass.getSubcommands().get(all[0]));
    for (int i = 1; i < all.length; i++) {
      OptionSpec before = command.getCommandSpec().optionsMap().get(all[i - 1]);
      boolean isValue = before != null && before.arity().max() > 0;
      if (!isValue && NEGATION.matcher(all[i]).lookingAt()) {
        all[i] = " " + all[i];
      }
    }
    return all;
  }

  public void addTo(CommandLine hourglass) {
    COMMANDS.forEach(each -> hourglass.addSubcommand(each, new CommandLine(create(each))));
  }

  private Object create(String command) {
    return switch (command) {
      case "query" -> new QueryCommand(this);
      case "tail" -> new TailCommand(this);
      case "hits" -> new HitsCommand(this);
      case "stats" -> new StatsCommand(this);
      case "top" -> new TopCommand(this);
      case "fields" -> new FieldsCommand(this);
      case "types" -> new TypesCommand(this);
      default -> throw new IllegalArgumentException(command);
    };
  }

  Colours colours() {
    boolean areWanted = environment("NO_COLOR").isEmpty() && !environment("TERM").equals("dumb");
    return new Colours(isInteractive && areWanted);
  }

  /** Empty if it is not set. */
  String environment(String name) {
    return Objects.requireNonNullElse(environment.get(name), "");
  }
}
