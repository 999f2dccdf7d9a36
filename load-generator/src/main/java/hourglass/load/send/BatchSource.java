package hourglass.load.send;

import hourglass.load.client.Batch;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * Events in batches. Every pass gives the same batches in the same order, so they need not be kept.
 */
public interface BatchSource {
  /**
   * Passes batches on, in the calling thread, until {@code taker} returns false. Returns whether it
   * took all.
   */
  boolean forEach(Predicate<Batch> taker) throws IOException;

  /** -1 if unknown before reading. */
  long events();
}
