package hourglass.store;

import hourglass.bytes.Spans;
import org.jspecify.annotations.Nullable;

/**
 * Finds one field in JSON payloads. Its place must depend on the structure of a payload alone, as
 * in {@link FieldFilter}. Immutable.
 */
public interface FieldFinder {
  /**
   * Finds the field's value in the payload, as value 0 of the result. Returns null if the payload
   * must be read as a whole to find it.
   */
  @Nullable Spans find(byte[] payload, int from, int to);

  /** Whether the field is always a member of the payload itself, never of an object in it. */
  default boolean isOfPayload() {
    return false;
  }
}
