package hourglass.load.client;

import hourglass.load.command.LoadFailure;
import hourglass.load.command.ProgressLine;
import org.jspecify.annotations.Nullable;

/** A destination of batches. For any number of threads. */
public interface Destination {
  /**
   * Sends one batch and waits for its answer.
   *
   * @param query the mapping, as query parameters with their question mark
   * @param turn selects a target, counted round and round
   */
  PushAnswer push(Batch batch, String query, @Nullable String idempotencyKey, int turn);

  /**
   * Waits until everything is stored, unless the answers said so.
   *
   * @throws LoadFailure if it does not happen in time
   */
  void awaitStored(ProgressLine progress) throws InterruptedException;
}
