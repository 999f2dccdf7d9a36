package hourglass.config.terminal;

import hourglass.command.ProgressLine;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.Charset;
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
 * @param out receives answers, byte for byte; unlike {@code System.out}, it does not hide errors
 * @param isInteractive whether a person reads {@code out}
 * @param environment HOURGLASS_TARGET, HOURGLASS_KEY, HOURGLASS_CA_FILE and NO_COLOR
 */
public record Terminal(
    OutputStream out, boolean isInteractive, Map<String, String> environment, Clock clock) {
  private static final List<String> COMMANDS =
      List.of(
          "query",
          "tail",
          "hits",
          "stats",
          "top",
          "fields",
          "types",
          "drop",
          "erase",
          "retention",
          "backup",
          "diagnose");

  public static Terminal ofProcess() {
    return new Terminal(
        new FileOutputStream(FileDescriptor.out),
        Boolean.getBoolean("hourglass.terminal") || ProgressLine.isTerminal(),
        System.getenv(),
        Clock.systemUTC());
  }

  /**
   * The beginning of a negated filter: a minus sign before a name with a colon or a comparison,
   * before a quoted text, or before a parenthesis.
   */
  private static final Pattern NEGATION =
      Pattern.compile("-(?:[\\p{L}\\w@$`][\\p{L}\\w@$`. -]*(?:[:<>]|!=)|\"|\\()");

  /** Returns whether the first argument of the process is one of these commands. */
  public static boolean isAskedBy(String[] arguments) {
    return arguments.length > 0 && COMMANDS.contains(arguments[0]);
  }

  /**
   * Returns a command line with one of the commands only. Reading the models of all others from
   * their classes would take longer than most answers.
   */
  public CommandLine commandLine(String command) {
    CommandLine hourglass = new CommandLine(CommandSpec.create().name("hourglass"));
    return hourglass.addSubcommand(command, new CommandLine(create(command)));
  }

  /**
   * Returns the arguments with a blank before each filter that begins with a negation, such as
   * {@code -path:/health}, so that it is not mistaken for an option.
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
      case "diagnose" -> new DiagnoseCommand(this);
      case "drop" -> new DropCommand(this);
      case "erase" -> new EraseCommand(this, typed());
      case "retention" -> new RetentionCommand(this);
      case "backup" -> new BackupCommand(this);
      default -> throw new IllegalArgumentException(command);
    };
  }

  /** Returns what the person types. */
  private static BufferedReader typed() {
    return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
  }

  Colours colours() {
    boolean areWanted = environment("NO_COLOR").isEmpty() && !environment("TERM").equals("dumb");
    return new Colours(isInteractive && areWanted);
  }

  /** Returns an environment variable, or an empty text if it is not set. */
  String environment(String name) {
    return Objects.requireNonNullElse(environment.get(name), "");
  }
}
