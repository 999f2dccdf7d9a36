package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.event.Mapping;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings for sending batches.
 *
 * @param connections the requests in flight at once
 * @param ratePerSecond the events per second; 0 for full speed
 * @param keys returns the Idempotency-Key of a batch, or null for none
 * @param queries returns the parameters of the request of a batch, with their question mark
 * @param giveUpAfter how long one batch is tried before the run ends
 */
public record SendSettings(
    int connections,
    double ratePerSecond,
    Function<Batch, @Nullable String> keys,
    Function<Batch, String> queries,
    RepeatRule repeats,
    Duration giveUpAfter) {
  /**
   * Creates settings for JSON events whose fields the mapping names.
   *
   * @param keyPrefix the prefix of every batch's Idempotency-Key; null if none is sent
   */
  public SendSettings(
      int connections,
      double ratePerSecond,
      @Nullable String keyPrefix,
      Mapping mapping,
      Duration giveUpAfter) {
    this(
        connections,
        ratePerSecond,
        batch -> keyPrefix == null ? null : keyPrefix + "-" + batch.index(),
        batch -> mapping.query(),
        RepeatRule.ofEvents(mapping, keyPrefix != null),
        giveUpAfter);
  }

  String query(Batch batch) {
    return queries.apply(batch);
  }

  @Nullable String key(Batch batch) {
    return keys.apply(batch);
  }
}
