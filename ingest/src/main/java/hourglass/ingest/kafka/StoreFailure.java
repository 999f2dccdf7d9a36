package hourglass.ingest.kafka;

import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;

/** Classifies the failure of a write. */
final class StoreFailure {
  private StoreFailure() {}

  /** The failure without the wrappers of completion stages. */
  static Throwable unwrap(Throwable failure) {
    Throwable inner = failure;
    while (inner instanceof CompletionException && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  /**
   * Whether the failure concerns the records. A store that is away, full or busy stores them later,
   * and so does a dead-letter topic.
   */
  static boolean isOfRecords(Throwable unwrapped) {
    return !(unwrapped instanceof UnavailableException
        || unwrapped instanceof OverloadedException
        || unwrapped instanceof TimeoutException
        || unwrapped instanceof RejectedExecutionException
        || unwrapped instanceof CancellationException
        || unwrapped instanceof KafkaException
        || unwrapped instanceof OutOfMemoryError);
  }
}
