package hourglass.config.server;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import hourglass.config.settings.LogFormat;
import hourglass.query.http.RunningQueries;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The log of a running server, in its format. It keeps the newest lines for a diagnosis.
 * Thread-safe.
 */
final class ServerLog implements AutoCloseable {
  /** The lines that are kept, of at most this length: about a megabyte. */
  private static final int LINES_MAX = 300;

  private static final int CHARS_MAX = 4_000;

  /** The names of the appenders in {@code logback.xml}. */
  private static final String AS_TEXT = "text";

  private static final String AS_JSON = "json";

  private final Logger root;
  private final Logger slowQueries;
  private final NewestLines newest;

  /** The appender that was replaced by that of JSON; null if it was not. */
  private final @Nullable Appender<ILoggingEvent> replaced;

  private ServerLog(
      Logger root,
      Logger slowQueries,
      NewestLines newest,
      @Nullable Appender<ILoggingEvent> replaced) {
    this.root = root;
    this.slowQueries = slowQueries;
    this.newest = newest;
    this.replaced = replaced;
  }

  /** Keeps the lines of a log. Thread-safe. */
  private static final class NewestLines extends UnsynchronizedAppenderBase<ILoggingEvent> {
    private final Encoder<ILoggingEvent> encoder;

    /** The lines, the oldest first. Guarded by this. */
    private final Deque<String> lines = new ArrayDeque<>();

    private NewestLines(Encoder<ILoggingEvent> encoder) {
      this.encoder = encoder;
    }

    @Override
    protected void append(ILoggingEvent event) {
      String line = new String(encoder.encode(event), StandardCharsets.UTF_8);
      add(line.length() <= CHARS_MAX ? line : line.substring(0, CHARS_MAX) + "...\n");
    }

    private synchronized void add(String line) {
      lines.addLast(line);
      if (lines.size() > LINES_MAX) {
        lines.removeFirst();
      }
    }

    private synchronized List<String> all() {
      return List.copyOf(lines);
    }
  }

  /** Gives the log its format. The lines before, if any, are text. */
  static ServerLog start(LogFormat format) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    // Slow queries are lines of JSON in any format, and so lend their appender.
    Logger slowQueries = context.getLogger(RunningQueries.SLOW);
    Appender<ILoggingEvent> json = Objects.requireNonNull(slowQueries.getAppender(AS_JSON));
    Appender<ILoggingEvent> text = root.getAppender(AS_TEXT);
    boolean replaces = format == LogFormat.JSON && text != null;
    if (replaces) {
      root.detachAppender(text);
      root.addAppender(json);
    }
    Appender<ILoggingEvent> shown = replaces || text == null ? json : text;
    NewestLines newest =
        new NewestLines(((OutputStreamAppender<ILoggingEvent>) shown).getEncoder());
    newest.setContext(context);
    newest.start();
    root.addAppender(newest);
    slowQueries.addAppender(newest);
    return new ServerLog(root, slowQueries, newest, replaces ? text : null);
  }

  /** Returns the newest lines, the oldest first, each with its line break. */
  List<String> newestLines() {
    return newest.all();
  }

  /** Keeps no more lines. The log goes on, as text. */
  @Override
  public void close() {
    root.detachAppender(newest);
    slowQueries.detachAppender(newest);
    if (replaced != null) {
      root.detachAppender(AS_JSON);
      root.addAppender(replaced);
    }
  }
}
