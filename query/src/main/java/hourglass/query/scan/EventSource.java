package hourglass.query.scan;

import hourglass.query.Progress;
import java.util.concurrent.CompletionStage;

/** Gives events in order, as far as the store has answered; never blocks. */
interface EventSource {

  /**
   * Gives events to a sink.
   *
   * @return why it ended; see {@link Progress}
   * @throws java.util.concurrent.CompletionException if the store failed
   */
  Progress advance(EventSink sink);

  /** What {@link #advance} waits for; done if it waits for nothing. */
  CompletionStage<?> awaited();
}
