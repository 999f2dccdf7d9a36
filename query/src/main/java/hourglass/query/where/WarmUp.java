package hourglass.query.where;

import hourglass.bucketing.Hour;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the CEL library ahead of the first query, which takes a second or more per process. */
public final class WarmUp {
  private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

  /** One example of each kind. */
  private static final String EXPRESSION =
      "data.path.matches('^/a') && data.ms * 2 > 5 && [data.ms].exists(n, n > 2)"
          + " && time > timestamp('2000-01-01T00:00:00Z')";

  private static final String PAYLOAD = "{\"path\":\"/a\",\"ms\":3}";

  private WarmUp() {}

  /** Starts a daemon thread; an expression that arrives meanwhile waits only for the rest. */
  public static Thread start() {
    return start(WarmUp::run);
  }

  static Thread start(Runnable task) {
    Thread thread = new Thread(() -> runSafely(task), "hourglass-where-warm-up");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void runSafely(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | LinkageError e) {
      log.warn("the language of where is not loaded ahead; the first expression may fail", e);
    }
  }

  static boolean run() {
    byte[] payload = PAYLOAD.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder event = new ColumnsBuilder(1, payload.length);
    event.add(Hour.LAST.startTicks(), 0, payload, 0, payload.length);
    Columns columns = event.build();
    return Where.compile(EXPRESSION).evaluate(columns, 0, "warm-up", () -> false);
  }
}
