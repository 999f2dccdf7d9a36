package hourglass.ingest;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of decoding one item: an event to store, or a reason for its rejection. A decoder
 * reuses one instance for all items.
 */
final class DecodedItem {
  byte[] bytes = {};
  int index;
  int from;
  int to;
  @Nullable CachedType type;
  long ticks;
  boolean untimed;
  long lsb;
  @Nullable Reason reason;
  String problem = "";
  boolean isBodyBroken;

  /** The array that holds the item's bytes, {@code [from, to)}. */
  byte[] bytes() {
    return bytes;
  }

  /** The item's place in its input, from 0. */
  int index() {
    return index;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** The event's type; null if the item is rejected and none was found. */
  @Nullable CachedType type() {
    return type;
  }

  /** The type of an event that is to be stored. */
  CachedType typed() {
    return Objects.requireNonNull(type);
  }

  /** The event's time, the upper half of its column name. */
  long ticks() {
    return ticks;
  }

  /** The lower half of the event's column name. */
  long lsb() {
    return lsb;
  }

  /** Whether the event has no time of its own. */
  boolean isUntimed() {
    return untimed;
  }

  /** Why the item is rejected; null if it is an event to store. */
  @Nullable Reason reason() {
    return reason;
  }

  /** The reason as its sender reads it. */
  String problem() {
    return problem;
  }

  /** Whether no item of the input may be stored. */
  boolean isBodyBroken() {
    return isBodyBroken;
  }
}
