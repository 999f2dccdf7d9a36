package hourglass.load.send;

import hourglass.load.client.Batch;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Events in batches. Every {@link #open} gives the same batches in the same order, so that what was
 * sent can be derived again instead of kept.
 */
public interface BatchSource {
  Reader open() throws IOException;

  /** How many events it will give, or -1 when only reading tells. */
  long events();

  /** Reads one pass. Not for use by several threads. */
  interface Reader extends Closeable {
    /** The next batch, or null after the last. */
    @Nullable Batch next() throws IOException;

    @Override
    default void close() throws IOException {}
  }
}
