package hourglass.query.scan;

import hourglass.query.Progress;
import java.util.concurrent.CompletionStage;

/** A source of events in order, as far as the store has answered. Never blocks. */
interface EventSource {

  /**
   * Delivers events to a sink.
   *
   * @return the reason for the end; see {@link Progress}
   * @throws java.util.concurrent.CompletionException if the store failed
   */
  Progress advance(EventSink sink);

  /** The stage that {@link #advance} waits for; done if it waits for nothing. */
  CompletionStage<?> awaited();
}
