package hourglass.config.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Things that were started, to be closed in the opposite order, once. Thread-safe. */
public final class Parts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Parts.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  /** Returns what is given, for chaining. */
  public synchronized <T extends AutoCloseable> T add(T part) {
    started.push(part);
    return part;
  }

  /** Closes all of it; a part that fails does not keep the others open. */
  @Override
  public synchronized void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        log.warn("did not close in order", e);
      }
    }
  }
}
