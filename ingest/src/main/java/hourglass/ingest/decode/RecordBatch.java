package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records of one partition of a log, each to become one event. One without a type has the topic's
 * name as its type, one without a time the record's, and one without an id is named by topic,
 * partition and offset: so a record that is read again makes the same event. Immutable, until its
 * arena serves another batch.
 */
public final class RecordBatch {
  /** Later than any hour there is, and far from where numbers end: the year 9999. */
  private static final long MILLIS_MAX = 253_402_300_799_999L;

  private final String topic;
  private final int partition;
  private final FieldMapping mapping;
  private final RecordArena arena;
  private final Body body;
  private final int size;
  private final BitSet cloudEvents;

  /** Why some cannot be read, by their places. */
  private final Map<Integer, String> unreadable;

  private RecordBatch(Builder builder) {
    this.topic = builder.topic;
    this.partition = builder.partition;
    this.mapping = builder.mapping;
    this.arena = builder.arena;
    this.body = Body.ofPadded(arena.bytes, builder.length);
    this.size = builder.size;
    this.cloudEvents = builder.cloudEvents;
    this.unreadable = builder.unreadable;
  }

  /**
   * An empty batch.
   *
   * @param topic a name that can be a type
   * @param mapping which fields make an event; a type in it goes before the topic's name
   * @param arena what the records are copied to; of this batch alone, as long as anybody reads it
   */
  public static Builder builder(
      String topic, int partition, FieldMapping mapping, RecordArena arena) {
    return new Builder(topic, partition, mapping, arena);
  }

  /** What the records were copied to; for another batch once nobody reads this one any more. */
  public RecordArena arena() {
    return arena;
  }

  public int size() {
    return size;
  }

  /** Bytes of all values, and a little for each. */
  public int bytes() {
    return body.length();
  }

  /** Where a record was in its partition. */
  public long offset(int record) {
    return arena.offsets[record];
  }

  /** The record's time, milliseconds since 1970; negative if it has none. */
  public long millis(int record) {
    long ticks = ticks(record);
    return ticks == TimeText.NOT_A_TIME ? -1 : (ticks - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
  }

  /** The bytes that a record was added with; a view. */
  public ByteBuffer value(int record) {
    return body.toBuffer().slice(from(record), to(record) - from(record));
  }

  String topic() {
    return topic;
  }

  int partition() {
    return partition;
  }

  FieldMapping mapping() {
    return mapping;
  }

  Body body() {
    return body;
  }

  int from(int record) {
    return arena.froms[record];
  }

  int to(int record) {
    return arena.tos[record];
  }

  /** The record's time, or {@link TimeText#NOT_A_TIME} if it has none. */
  long ticks(int record) {
    return arena.ticks[record];
  }

  boolean isCloudEvent(int record) {
    return cloudEvents.get(record);
  }

  /** Why the record cannot be read at all, or null. */
  @Nullable String unreadable(int record) {
    return unreadable.isEmpty() ? null : unreadable.get(record);
  }

  /** Takes records in the order of their offsets. Not thread-safe; use it once. */
  public static final class Builder {
    private final String topic;
    private final int partition;
    private final FieldMapping mapping;
    private final RecordArena arena;
    private final BitSet cloudEvents = new BitSet();
    private final Map<Integer, String> unreadable = new HashMap<>();
    private int size;
    private int length;

    private Builder(String topic, int partition, FieldMapping mapping, RecordArena arena) {
      this.topic = topic;
      this.partition = partition;
      this.mapping = mapping;
      this.arena = arena;
    }

    /**
     * Adds a record.
     *
     * @param millis the record's time, milliseconds since 1970; negative: it has none
     * @param value JSON; its position stays
     * @param cloudEvent whether that is a CloudEvent
     */
    public Builder add(long offset, long millis, ByteBuffer value, boolean cloudEvent) {
      cloudEvents.set(size, cloudEvent);
      add(offset, millis, value);
      return this;
    }

    /**
     * Adds a record of which a transport can tell that no event can be made of it.
     *
     * @param millis as of {@link #add}
     */
    public Builder addUnreadable(long offset, long millis, ByteBuffer value, String problem) {
      unreadable.put(size, problem);
      add(offset, millis, value);
      return this;
    }

    private void add(long offset, long millis, ByteBuffer value) {
      int to = Math.addExact(length, value.remaining());
      int padded = Math.addExact(to, Body.PADDING);
      arena.reserve(size, Math.addExact(padded, Body.PADDING));
      value.get(value.position(), arena.bytes, length, value.remaining());
      // Zeros behind each value, as behind a body: whatever is read stops there.
      Arrays.fill(arena.bytes, to, padded, (byte) 0);
      arena.froms[size] = length;
      arena.tos[size] = to;
      arena.offsets[size] = offset;
      arena.ticks[size] =
          millis < 0
              ? TimeText.NOT_A_TIME
              : Ticks.UNIX_EPOCH + Math.min(millis, MILLIS_MAX) * Ticks.PER_MILLI;
      size++;
      length = padded;
    }

    /** How many records were added. */
    public int size() {
      return size;
    }

    /** As {@link RecordBatch#bytes}, so far. */
    public int bytes() {
      return length;
    }

    public RecordBatch build() {
      return new RecordBatch(this);
    }
  }
}
