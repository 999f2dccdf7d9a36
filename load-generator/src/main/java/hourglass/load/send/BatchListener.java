package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.client.PushAnswer;

/** Receives the outcome of each batch, once. Called by several threads. */
public interface BatchListener {
  BatchListener NONE = new BatchListener() {};

  default void verdict(Batch batch, PushAnswer.Verdict verdict) {}

  /**
   * Called when a batch is given up and not tried again.
   *
   * @param isUnsure whether some of its events may be stored
   */
  default void givenUp(Batch batch, boolean isUnsure, PushAnswer.Failure failure) {}
}
