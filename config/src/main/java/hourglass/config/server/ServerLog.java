package hourglass.config.server;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import hourglass.config.settings.LogFormat;
import hourglass.query.http.SlowQueries;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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
    private final Encoder<ILoggingEvent> json;

    /** The lines, the oldest first. Guarded by this. */
    private final Deque<String> lines = new ArrayDeque<>();

    private NewestLines(Encoder<ILoggingEvent> encoder, Encoder<ILoggingEvent> json) {
      this.encoder = encoder;
      this.json = json;
    }

    @Override
    protected void append(ILoggingEvent event) {
      // The facts of a slow query are values, which the text of a line lacks.
      boolean isSlowQuery = event.getLoggerName().equals(SlowQueries.LOG);
      byte[] bytes = (isSlowQuery ? json : encoder).encode(event);
      String line = new String(bytes, StandardCharsets.UTF_8);
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

  /**
   * Gives the log its format. The lines before, if any, are text.
   *
   * @throws StartException if the format is JSON, and the configuration of Logback, which may be
   *     the operator's own, has no appender for it
   */
  static ServerLog start(LogFormat format) {
    return start(format, context());
  }

  /** Returns Logback's context. SLF4J has a substitute while another thread initializes it. */
  @SuppressWarnings("LockOnNonEnclosingClassLiteral") // the lock of SLF4J's own initialization
  private static LoggerContext context() {
    synchronized (LoggerFactory.class) { // that thread holds this lock meanwhile
      return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
  }

  static ServerLog start(LogFormat format, LoggerContext context) {
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    // Slow queries are lines of JSON in any format, and so lend their appender.
    Logger slowQueries = context.getLogger(SlowQueries.LOG);
    Appender<ILoggingEvent> text = root.getAppender(AS_TEXT);
    boolean replaces = format == LogFormat.JSON && root.getAppender(AS_JSON) == null;
    if (replaces) {
      Appender<ILoggingEvent> json = slowQueries.getAppender(AS_JSON);
      if (json == null || text == null) {
        throw new StartException(
            ("log.format = json: the configuration of Logback lacks the appender \"%s\" of the root"
                    + " or \"%s\" of the logger %s; want both, or log.format = text")
                .formatted(AS_TEXT, AS_JSON, SlowQueries.LOG));
      }
      root.detachAppender(text);
      root.addAppender(json);
    }
    NewestLines newest = newest(format == LogFormat.TEXT ? text : null, context);
    root.addAppender(newest);
    if (!slowQueries.isAdditive()) {
      slowQueries.addAppender(newest);
    }
    return new ServerLog(root, slowQueries, newest, replaces ? text : null);
  }

  /** Creates the appender of the newest lines, as text if there is an appender whose text it is. */
  private static NewestLines newest(@Nullable Appender<ILoggingEvent> text, LoggerContext context) {
    Encoder<ILoggingEvent> json = json(context);
    NewestLines newest =
        text instanceof OutputStreamAppender<ILoggingEvent> shown
            ? new NewestLines(shown.getEncoder(), json)
            : new NewestLines(json, json);
    newest.setContext(context);
    newest.start();
    return newest;
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context) {
    JsonLogLayout layout = new JsonLogLayout();
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(layout);
    encoder.start();
    return encoder;
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
