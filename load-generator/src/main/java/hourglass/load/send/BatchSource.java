package hourglass.load.send;

import hourglass.load.client.Batch;
import java.io.IOException;
import java.util.function.Predicate;

/** Events in batches. Every pass gives the same in the same order, so they need not be kept. */
public interface BatchSource {
  /** Passes on batches until {@code taker} returns false. Returns whether it took all. */
  boolean forEach(Predicate<Batch> taker) throws IOException;

  /** -1 if unknown before reading. */
  long events();
}
