package hourglass.ingest.decode;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the store keeps each type. An older event is rejected, since the store would delete it
 * silently. Thread-safe.
 */
@FunctionalInterface
public interface TypeRetention {
  TypeRetention KEEP = type -> null;

  /** The retention of a type; null if it is kept for ever. */
  @Nullable Duration of(String type);
}
