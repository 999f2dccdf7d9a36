package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.client.PushAnswer;

/** Learns the outcome of each batch, once. Called by several threads. */
public interface BatchListener {
  BatchListener NONE = new BatchListener() {};

  default void verdict(Batch batch, PushAnswer.Verdict verdict) {}

  /**
   * The batch is not tried again.
   *
   * @param isUnsure whether events of it may be stored
   */
  default void givenUp(Batch batch, boolean isUnsure, PushAnswer.Failure failure) {}
}
