package hourglass.ingest.decode;

import hourglass.ingest.decode.EventTypes.CachedType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The outcome of decoding one item. A decoder reuses one instance, and only it writes to it. */
public final class DecodedItem {
  /**
   * The value of {@link EventTime#field} for a line of text that gets the time of a line before.
   */
  public static final String FOLLOWS = "";

  /** The array that contains the item's bytes, {@code [from, to)}. */
  public byte[] bytes = {};

  public int from;
  public int to;

  /** Whether the bytes never change, and most payloads follow one another in them. */
  public boolean isPacked;

  /** The item's place in its input, from 0. */
  public int index;

  /** The type; null if the item is rejected and no type was found. */
  public @Nullable CachedType type;

  /** The column name of the event, and how it came about. */
  public final EventName name = new EventName();

  /** How the event got its time. */
  public final EventTime time = new EventTime();

  /** The reason to reject the item; null if it is an event to store. */
  public @Nullable Reason reason;

  /** The description of the problem, for the sender to read. */
  public String problem = "";

  /** Whether no item of the input may be stored. */
  public boolean isBodyBroken;

  public CachedType typed() {
    return Objects.requireNonNull(type);
  }

  /** The column name of an event. Only a decoder writes to it. */
  public static final class EventName {
    /** The upper half of the name. */
    public long ticks;

    /** The lower half of the name. */
    public long lsb;

    /** 64 more bits of the hash of the id, if {@link #keepsFirstTime}. */
    public long more;

    /** Whether the lower half is made of an id. */
    boolean hasId;

    /** The id that the protocol gives outside of the payload, or null. */
    byte @Nullable [] recordId;

    /** Whether an event without a time gets the time of its first attempt. */
    public boolean keepsFirstTime;
  }

  /** The origin of an event's time. Only a decoder writes to it. */
  public static final class EventTime {
    /**
     * The field that replaces the time field, {@code message} for a line of text that contains a
     * time, or {@link #FOLLOWS}; null for any other.
     */
    public @Nullable String field;

    /**
     * Whether the time of the item only lacks a zone; also true for an event that counts as untimed
     * for that reason alone.
     */
    public boolean isZoneless;

    /** Whether the event has no time of its own. */
    public boolean isUntimed;
  }
}
