package hourglass.ingest.decode;

import hourglass.ingest.decode.TypeCache.CachedType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of decoding one item: an event to store, or a reason for its rejection. A decoder
 * reuses one instance for all items, and only the decoder writes to it.
 */
public final class DecodedItem {
  /** The array that holds the item's bytes, {@code [from, to)}. */
  public byte[] bytes = {};

  public int from;
  public int to;

  /** The item's place in its input, from 0. */
  public int index;

  /** The event's type; null if the item is rejected and none was found. */
  public @Nullable CachedType type;

  /** The event's time, the upper half of its column name. */
  public long ticks;

  /** The lower half of the event's column name. */
  public long lsb;

  /** Whether the event has no time of its own. */
  public boolean isUntimed;

  /** Why the item is rejected; null if it is an event to store. */
  public @Nullable Reason reason;

  /** The reason as its sender reads it. */
  public String problem = "";

  /** Whether no item of the input may be stored. */
  public boolean isBodyBroken;

  /** The type of an accepted event. */
  public CachedType typed() {
    return Objects.requireNonNull(type);
  }
}
