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
 * @param giveUpAfter how long one batch is tried before the run ends
 */
public record SendSettings(
    int connections,
    double ratePerSecond,
    @Nullable String keyPrefix,
    Mapping mapping,
    Duration giveUpAfter) {
  @Nullable String key(Batch batch) {
    return keyPrefix == null ? null : keyPrefix + "-" + batch.index();
  }
}
