package hourglass.config.terminal;

import hourglass.command.OptionTypes;
import hourglass.command.WrongOptionException;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The base of the commands that ask a server. The exit codes are 0 for done, 1 for no complete
 * answer, 2 for wrong usage.
 */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    sortSynopsis = false,
    modelTransformer = OptionTypes.class)
abstract class Question implements Callable<Integer> {
  /**
   * The message of an error that is not reported: a reader such as {@code head} has read enough.
   */
  private static final String BROKEN_PIPE = "Broken pipe";

  final Terminal terminal;
  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;

  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  Question(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Asks the server and prints the answer. */
  abstract void ask(Server server) throws IOException, AskException;

  @Override
  public final Integer call() {
    try {
      ask(server.server(terminal));
      return 0;
    } catch (WrongOptionException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    } catch (AskException | BrokenAnswerException | Server.Away e) {
      say("hourglass: " + SafeText.line(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      if (!BROKEN_PIPE.equals(e.getMessage())) {
        say("hourglass: the answer cannot be written: " + e.getMessage());
      }
    }
    return 1;
  }

  /**
   * Prints events from a time on, or from now, and those that arrive, until a signal.
   *
   * @param from null for now
   */
  void follow(Server server, SelectionOptions selection, @Nullable String from, OutputFormat format)
      throws IOException, AskException {
    if (!format.isOfSingleEvents()) {
      throw wrongUsage("--format: %s, want text, ndjson or raw".formatted(format));
    }
    UrlQuery parameters = new UrlQuery();
    selection.addTo(parameters);
    parameters.add("since", from);
    new Follower(server, parameters, new EventPrinter(format, terminal), this::say).follow();
  }

  String name() {
    return spec.name();
  }

  /** Prints a line for the person, separate from the answer. */
  void say(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }

  ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  void refuse(String conflict) {
    if (!conflict.isEmpty()) {
      throw wrongUsage(conflict);
    }
  }
}
