package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import hourglass.store.text.Rfc3339;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records of one partition of a topic, each to become one event. A record without a type gets the
 * topic's name, without a time the record's time, and without an id a name from topic, partition
 * and offset. So a record that is read again makes the same event. Immutable until its arena is
 * reused.
 */
public final class RecordBatch {
  /** The end of the year 9999: after the last hour, and far from overflow. */
  private static final long MILLIS_MAX = 253_402_300_799_999L;

  private final String topic;
  private final int partition;
  private final FieldMapping mapping;
  private final RecordArena arena;
  private final Body body;
  private final int size;
  private final BitSet cloudEvents;

  /** Problems of unreadable records, by place. */
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
   * @param topic a name that is a valid type
   * @param mapping the fields of events; its type overrides the topic's name
   * @param arena memory for copies of the records; used by no other batch meanwhile
   */
  public static Builder builder(
      String topic, int partition, FieldMapping mapping, RecordArena arena) {
    return new Builder(topic, partition, mapping, arena);
  }

  /** The memory of the records; free for another batch when this one is done. */
  public RecordArena arena() {
    return arena;
  }

  public int size() {
    return size;
  }

  /** Bytes of all values with their padding. */
  public int bytes() {
    return body.length();
  }

  public long offset(int record) {
    return arena.offsets[record];
  }

  /** The record's time in milliseconds since 1970; negative if it has none. */
  public long millis(int record) {
    long ticks = ticks(record);
    return ticks == Rfc3339.NOT_A_TIME ? -1 : (ticks - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
  }

  /** A view of the record's value. */
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

  /** The record's time, or {@link Rfc3339#NOT_A_TIME} if it has none. */
  long ticks(int record) {
    return arena.ticks[record];
  }

  boolean isCloudEvent(int record) {
    return cloudEvents.get(record);
  }

  /** The reason why the record cannot be read at all, or null. */
  @Nullable String unreadable(int record) {
    return unreadable.isEmpty() ? null : unreadable.get(record);
  }

  /** Collects records in the order of their offsets. Not thread-safe; use it once. */
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
     * @param millis the record's time in milliseconds since 1970; negative: none
     * @param value JSON; the buffer's position does not change
     */
    public Builder add(long offset, long millis, ByteBuffer value, boolean cloudEvent) {
      cloudEvents.set(size, cloudEvent);
      add(offset, millis, value);
      return this;
    }

    /**
     * Adds a record that the transport found unreadable.
     *
     * @param millis as in {@link #add}
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
      // Padding behind each value stops the scanner, as behind a body.
      Arrays.fill(arena.bytes, to, padded, (byte) 0);
      arena.froms[size] = length;
      arena.tos[size] = to;
      arena.offsets[size] = offset;
      arena.ticks[size] =
          millis < 0
              ? Rfc3339.NOT_A_TIME
              : Ticks.UNIX_EPOCH + Math.min(millis, MILLIS_MAX) * Ticks.PER_MILLI;
      size++;
      length = padded;
    }

    public int size() {
      return size;
    }

    public int bytes() {
      return length;
    }

    public RecordBatch build() {
      return new RecordBatch(this);
    }
  }
}
