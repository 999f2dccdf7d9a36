package hourglass.load.send;

import hourglass.load.client.Batch;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * A source of events in batches. Every pass produces the same batches in the same order, so they
 * need not be kept in memory.
 */
public interface BatchSource {
  /**
   * Passes batches on, on the calling thread, until {@code taker} returns false. Returns whether it
   * accepted all.
   */
  boolean forEach(Predicate<Batch> taker) throws IOException;

  /** Returns the number of events, or -1 if it is unknown before reading. */
  long events();
}
