package hourglass.ingest.kafka;

import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;

/** What the end of a write says of its records. */
final class StoreFailure {
  private StoreFailure() {}

  /** The failure itself, without what stages wrap around it. */
  static Throwable unwrap(Throwable failure) {
    Throwable inner = failure;
    while (inner instanceof CompletionException && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  /**
   * Whether it is about the records: a store that is away, full or busy takes them later, and so
   * does a topic of dead letters.
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
