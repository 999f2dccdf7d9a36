package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.event.Mapping;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings of sending batches.
 *
 * @param connections requests in flight at once
 * @param ratePerSecond events per second; 0: full speed
 * @param keys the Idempotency-Key of each batch; null for one without
 * @param queries parameters of the request of each batch, with their question mark
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
   * Settings for JSON events whose fields the mapping names.
   *
   * @param keyPrefix of the Idempotency-Key of every batch; null: none is sent
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
