package hourglass.config.terminal;

import hourglass.command.SafeText;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Prints a tail until a signal. After a broken connection it reconnects at its last position, so
 * that no event is left out or repeated.
 */
final class Follower {
  /** The longest time without a byte. The server sends a comment at least every 15 s. */
  private static final int SILENCE_MILLIS = 60_000;

  private static final int RETRY_MILLIS = 1_000;

  /** The time at a signal for a slow reader to read the last lines. */
  private static final int END_MILLIS = 1_000;

  /** The most failed attempts in a row: half a minute, as long as the restart of a server takes. */
  private static final int TRIES = 30;

  private final Server server;
  private final UrlQuery parameters;
  private final EventPrinter printer;
  private final Consumer<String> say;
  private @Nullable String position;
  private int retryMillis = RETRY_MILLIS;
  private volatile boolean hasGaps;

  Follower(Server server, UrlQuery parameters, EventPrinter printer, Consumer<String> say) {
    this.server = server;
    this.parameters = parameters;
    this.printer = printer;
    this.say = say;
  }

  /** Prints the tail. It ends by a failure, or with the process at a signal. */
  void follow() throws IOException, AskException {
    Thread atSignal = new Thread(this::end, "at-signal");
    Runtime.getRuntime().addShutdownHook(atSignal);
    try {
      Answer answer = get();
      while (true) {
        String end = print(answer);
        if (position == null) {
          throw new AskException(end); // the position at which to resume is unknown
        }
        say.accept("hourglass: " + end + "; coming back");
        answer = comeBack();
      }
    } finally {
      removeHook(atSignal);
      printer.flush();
    }
  }

  private void end() {
    boolean isWritten = printer.flushesWithin(END_MILLIS);
    Runtime.getRuntime().halt(isWritten && !hasGaps ? 0 : 1);
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is already running, and ends the process.
    }
  }

  private Answer get() throws Server.Away, AskException {
    return server.get("/api/v1/tail", parameters, position, SILENCE_MILLIS);
  }

  private Answer comeBack() throws AskException {
    for (int tries = 1; ; tries++) {
      try {
        Thread.sleep(retryMillis);
        return get();
      } catch (Server.Away e) {
        if (tries == TRIES) {
          throw new AskException(String.valueOf(e.getMessage()));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AskException("interrupted");
      }
    }
  }

  /** Prints the messages of an answer. Returns the reason why it ended. */
  private String print(Answer answer) throws IOException {
    TailMessages messages = null;
    try (answer) {
      messages = new TailMessages(answer.body());
      TailMessages.Message message = messages.next();
      while (message != null) {
        print(message);
        if (!messages.isReady()) {
          printer.flush();
        }
        message = messages.next();
      }
      return "the server ended the tail";
    } catch (BrokenAnswerException e) {
      return String.valueOf(e.getMessage());
    } finally {
      printer.flush();
      if (messages != null) {
        position = messages.position() == null ? position : messages.position();
        retryMillis = messages.retryMillis() < 0 ? retryMillis : messages.retryMillis();
      }
    }
  }

  private void print(TailMessages.Message message) throws IOException {
    switch (message.kind()) {
      case "" -> printEvent(message.data(), false);
      case "late" -> printEvent(message.data(), true);
      default -> tell(message.kind(), JsonTree.orEmpty(message.data()));
    }
  }

  /**
   * Prints an event. A broken event does not break the connection, so the tail continues after it.
   */
  private void printEvent(String event, boolean isLate) throws IOException {
    try {
      printer.print(event, isLate);
    } catch (BrokenAnswerException e) {
      hasGaps = true;
      say.accept("hourglass: not printed: " + SafeText.line(String.valueOf(e.getMessage())));
    }
  }

  private void tell(String kind, JsonTree facts) throws IOException {
    printer.flush();
    hasGaps |= !kind.equals("crowded_out"); // which is followed by the end of this connection
    String text =
        kind.equals("missed")
            ? "too slow for the events from %s to %s; query --from and --to has them"
                .formatted(facts.text("from"), facts.text("to"))
            : facts.text("detail");
    String event = facts.text("event");
    say.accept(
        SafeText.line("hourglass: " + kind + ": " + text + (event.isEmpty() ? "" : ": " + event)));
  }
}
