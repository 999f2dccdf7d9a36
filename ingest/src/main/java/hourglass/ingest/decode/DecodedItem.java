package hourglass.ingest.decode;

import hourglass.ingest.decode.TypeCache.CachedType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The outcome of decoding one item. A decoder reuses one instance, and alone writes to it. */
public final class DecodedItem {
  /** In place of a field: the time of a line of text is that of a line before. */
  public static final String FOLLOWS = "";

  /** Holds the item's bytes, {@code [from, to)}. */
  public byte[] bytes = {};

  public int from;
  public int to;

  /** Whether the bytes never change, and most payloads follow one another in them. */
  public boolean isPacked;

  /** The item's place in its input, from 0. */
  public int index;

  /** Null if the item is rejected and no type was found. */
  public @Nullable CachedType type;

  /** The upper half of the event's column name. */
  public long ticks;

  /** The lower half of the event's column name. */
  public long lsb;

  /** 64 more bits of the hash of its id, if it {@link #keepsFirstTime}. */
  public long more;

  /** Whether the lower half of its name is made of an id. */
  boolean hasId;

  /** The id that its protocol gives it beside the payload, or null. */
  byte @Nullable [] recordId;

  /**
   * The field that stands in for the time field, {@code message} for a line of text with a time in
   * it, or {@link #FOLLOWS}; null for any other.
   */
  public @Nullable String timeField;

  /** Whether its time, or that of an event without one, only lacks a zone. */
  public boolean isZoneless;

  /** Whether the event has no time of its own. */
  public boolean isUntimed;

  /** Whether an event without a time has that of its first attempt. */
  public boolean keepsFirstTime;

  /** Null if the item is an event to store. */
  public @Nullable Reason reason;

  /** For the sender to read. */
  public String problem = "";

  /** Whether no item of the input may be stored. */
  public boolean isBodyBroken;

  public CachedType typed() {
    return Objects.requireNonNull(type);
  }
}
