package hourglass.config.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that were started. They are closed once, in the opposite order. Thread-safe. */
public final class Parts implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Parts.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  public synchronized <T extends AutoCloseable> T add(T part) {
    started.push(part);
    return part;
  }

  /**
   * Closes all parts. A part that fails to close is logged, and the others are closed all the same.
   */
  @Override
  public synchronized void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        logger.warn("did not close in order", e);
      }
    }
  }
}
