package hourglass.ingest.decode;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of decoding one item: an event to store, or a reason for its rejection. A decoder
 * reuses one instance for all items.
 */
public final class DecodedItem {
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
  public byte[] bytes() {
    return bytes;
  }

  /** The item's place in its input, from 0. */
  public int index() {
    return index;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  /** The event's type; null if the item is rejected and none was found. */
  public @Nullable CachedType type() {
    return type;
  }

  /** The type of an accepted event. */
  public CachedType typed() {
    return Objects.requireNonNull(type);
  }

  /** The event's time, the upper half of its column name. */
  public long ticks() {
    return ticks;
  }

  /** The lower half of the event's column name. */
  public long lsb() {
    return lsb;
  }

  /** Whether the event has no time of its own. */
  public boolean isUntimed() {
    return untimed;
  }

  /** Why the item is rejected; null if it is an event to store. */
  public @Nullable Reason reason() {
    return reason;
  }

  /** The reason as its sender reads it. */
  public String problem() {
    return problem;
  }

  /** Whether no item of the input may be stored. */
  public boolean isBodyBroken() {
    return isBodyBroken;
  }
}
