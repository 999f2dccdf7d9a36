package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.event.Mapping;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How batches are sent: at full speed if the rate is 0; without an Idempotency-Key if that has no
 * prefix. After {@code giveUpAfter} for one batch the run ends.
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
