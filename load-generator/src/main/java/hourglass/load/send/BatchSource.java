package hourglass.load.send;

import hourglass.load.client.Batch;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Events in batches. Every {@link #open} gives the same batches in the same order, so that the
 * events sent can be derived again instead of kept.
 */
public interface BatchSource {
  Reader open() throws IOException;

  /** The number of its events, or -1 if unknown before reading. */
  long events();

  /** Reads one pass. Not for use by several threads. */
  interface Reader extends Closeable {
    /** The next batch, or null after the last. */
    @Nullable Batch next() throws IOException;

    @Override
    default void close() throws IOException {}
  }
}
