package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.event.Mapping;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of sending batches.
 *
 * @param connections requests in flight at once
 * @param ratePerSecond events per second; 0: full speed
 * @param keyPrefix of the Idempotency-Key of every batch; null: none is sent
 * @param query parameters of every request, with their question mark
 * @param giveUpAfter how long one batch is tried before the run ends
 */
public record SendSettings(
    int connections,
    double ratePerSecond,
    @Nullable String keyPrefix,
    String query,
    RepeatRule repeats,
    Duration giveUpAfter) {
  /** Settings for JSON events whose fields the mapping names. */
  public SendSettings(
      int connections,
      double ratePerSecond,
      @Nullable String keyPrefix,
      Mapping mapping,
      Duration giveUpAfter) {
    this(
        connections,
        ratePerSecond,
        keyPrefix,
        mapping.query(),
        RepeatRule.ofEvents(mapping, keyPrefix != null),
        giveUpAfter);
  }

  @Nullable String key(Batch batch) {
    return keyPrefix == null ? null : keyPrefix + "-" + batch.index();
  }
}
