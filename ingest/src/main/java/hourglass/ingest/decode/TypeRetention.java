package hourglass.ingest.decode;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the store keeps the events of a type. An event that is older than that is refused with a
 * reason: taken, it would be deleted without a word. Thread-safe.
 */
@FunctionalInterface
public interface TypeRetention {
  /** Everything is kept. */
  TypeRetention KEEP = type -> null;

  /** How long a type is kept; null for ever. */
  @Nullable Duration of(String type);
}
