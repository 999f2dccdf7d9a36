package hourglass.load.send;

import hourglass.load.client.Batch;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Events in batches. Every {@link #open} gives the same batches in the same order, so they need not
 * be kept.
 */
public interface BatchSource {
  Reader open() throws IOException;

  /** -1 if unknown before reading. */
  long events();

  /** One pass. Not for several threads. */
  interface Reader extends Closeable {
    /** Null after the last batch. */
    @Nullable Batch next() throws IOException;

    @Override
    default void close() throws IOException {}
  }
}
