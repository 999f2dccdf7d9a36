package hourglass.config.terminal;

import hourglass.command.AccessOptions;
import hourglass.command.CommandTask;
import hourglass.command.SafeText;
import hourglass.command.ServerOptions;
import hourglass.command.WrongOptionException;
import hourglass.config.gate.tls.TlsException;
import hourglass.config.gate.tls.Trust;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** The base of the commands that ask a server. No complete answer is a failure. */
abstract class Question extends CommandTask {
  /**
   * The message of an error that is not reported: a reader such as {@code head} has read enough.
   */
  private static final String BROKEN_PIPE = "Broken pipe";

  final Terminal terminal;
  @Mixin private ServerOptions server = new ServerOptions();
  @Mixin private AccessOptions access = new AccessOptions();

  Question(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Asks the server and prints the answer. */
  abstract void ask(Server server) throws IOException, AskException;

  @Override
  protected final boolean execute() {
    try {
      ask(server());
      return true;
    } catch (AskException | BrokenAnswerException | Server.Away e) {
      say("hourglass: " + SafeText.line(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      if (!BROKEN_PIPE.equals(e.getMessage())) {
        say("hourglass: the answer cannot be written: " + e.getMessage());
      }
    }
    return false;
  }

  private Server server() {
    Map<String, String> environment = terminal.environment();
    return new Server(server.url(environment), access.key(environment), sockets(environment));
  }

  /** Returns the sockets that trust the file that is named, or null for the usual ones. */
  private @Nullable SSLSocketFactory sockets(Map<String, String> environment) {
    Path file = access.caFile(environment);
    try {
      return file == null ? null : Trust.sockets(file);
    } catch (TlsException e) {
      throw new WrongOptionException(access.caFileName() + ": " + e.getMessage());
    }
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
    return spec().name();
  }

  void refuse(String conflict) {
    if (!conflict.isEmpty()) {
      throw wrongUsage(conflict);
    }
  }
}
