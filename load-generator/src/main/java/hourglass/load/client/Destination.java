package hourglass.load.client;

import hourglass.command.ProgressLine;
import hourglass.load.command.LoadFailure;
import org.jspecify.annotations.Nullable;

/** A destination of batches. For any number of threads. */
public interface Destination extends AutoCloseable {
  /**
   * Makes what is not there yet.
   *
   * @throws LoadFailure when it does not answer
   */
  default void prepare(ProgressLine progress) throws InterruptedException {}

  /**
   * Sends one batch and waits for its answer.
   *
   * @param query the mapping, as query parameters with their question mark
   * @param turn selects a target, counted round and round
   */
  PushAnswer push(Batch batch, String query, @Nullable String idempotencyKey, int turn);

  /**
   * Waits until everything is stored, unless an acknowledged event is stored already.
   *
   * @throws LoadFailure if it does not happen in time
   */
  default void awaitStored(ProgressLine progress) throws InterruptedException {}

  @Override
  default void close() {}
}
