package hourglass.load.client;

import hourglass.command.ProgressLine;
import hourglass.load.command.LoadFailure;
import org.jspecify.annotations.Nullable;

/** A destination of batches. Safe for any number of threads. */
public interface Destination extends AutoCloseable {
  /**
   * Creates what the destination needs and does not have yet.
   *
   * @throws LoadFailure if it does not answer
   */
  default void prepare(ProgressLine progress) throws InterruptedException {}

  /**
   * Sends one batch and waits for its answer.
   *
   * @param query the mapping, as query parameters with their question mark
   * @param turn the number of a target, counted round and round
   */
  PushAnswer push(Batch batch, String query, @Nullable String idempotencyKey, int turn);

  /**
   * Waits until every acknowledged event is stored, unless acknowledging implies that.
   *
   * @throws LoadFailure if it takes too long
   */
  default void awaitStored(ProgressLine progress) throws InterruptedException {}

  @Override
  default void close() {}
}
