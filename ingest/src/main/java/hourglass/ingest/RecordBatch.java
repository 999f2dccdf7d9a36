package hourglass.ingest;

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
 * partition and offset: so a record that is read again makes the same event. Immutable.
 */
public final class RecordBatch {
  /** Later than any hour there is, and far from where numbers end: the year 9999. */
  private static final long MILLIS_MAX = 253_402_300_799_999L;

  private final String topic;
  private final int partition;
  private final FieldMapping mapping;
  private final Body body;
  private final int size;

  // Of each record: where its value begins and ends in the body, its offset and time.
  private final int[] froms;
  private final int[] tos;
  private final long[] offsets;
  private final long[] ticks;
  private final BitSet cloudEvents;

  /** Why some cannot be read, by their places. */
  private final Map<Integer, String> unreadable;

  private RecordBatch(Builder builder) {
    this.topic = builder.topic;
    this.partition = builder.partition;
    this.mapping = builder.mapping;
    this.body = Body.ofPadded(builder.bytes, builder.length);
    this.size = builder.size;
    this.froms = builder.froms;
    this.tos = builder.tos;
    this.offsets = builder.offsets;
    this.ticks = builder.ticks;
    this.cloudEvents = builder.cloudEvents;
    this.unreadable = builder.unreadable;
  }

  /**
   * An empty batch.
   *
   * @param topic a name that can be a type
   * @param mapping which fields make an event; a type in it goes before the topic's name
   * @param records room to begin with
   * @param valueBytes room to begin with, for the values of all
   */
  public static Builder builder(
      String topic, int partition, FieldMapping mapping, int records, int valueBytes) {
    return new Builder(topic, partition, mapping, records, valueBytes);
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
    return offsets[record];
  }

  /** The record's time, milliseconds since 1970; negative if it has none. */
  public long millis(int record) {
    return ticks[record] == TimeText.NOT_A_TIME
        ? -1
        : (ticks[record] - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
  }

  /** The bytes that a record was added with; a view. */
  public ByteBuffer value(int record) {
    return body.toBuffer().slice(froms[record], tos[record] - froms[record]);
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
    return froms[record];
  }

  int to(int record) {
    return tos[record];
  }

  /** The record's time, or {@link TimeText#NOT_A_TIME} if it has none. */
  long ticks(int record) {
    return ticks[record];
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
    private final BitSet cloudEvents = new BitSet();
    private final Map<Integer, String> unreadable = new HashMap<>();
    private int[] froms;
    private int[] tos;
    private long[] offsets;
    private long[] ticks;
    private byte[] bytes;
    private int size;
    private int length;

    private Builder(
        String topic, int partition, FieldMapping mapping, int records, int valueBytes) {
      this.topic = topic;
      this.partition = partition;
      this.mapping = mapping;
      froms = new int[records];
      tos = new int[records];
      offsets = new long[records];
      ticks = new long[records];
      bytes = new byte[valueBytes + (records + 1) * Body.PADDING];
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
      reserve(Math.addExact(to, 2 * Body.PADDING));
      value.get(value.position(), bytes, length, value.remaining());
      froms[size] = length;
      tos[size] = to;
      offsets[size] = offset;
      ticks[size] =
          millis < 0
              ? TimeText.NOT_A_TIME
              : Ticks.UNIX_EPOCH + Math.min(millis, MILLIS_MAX) * Ticks.PER_MILLI;
      size++;
      // Zeros behind each value, as behind a body: whatever is read stops there.
      length = to + Body.PADDING;
    }

    private void reserve(int bytesNeeded) {
      if (bytesNeeded > bytes.length) {
        bytes =
            Arrays.copyOf(bytes, Math.max(bytesNeeded, (int) Math.min(2L * bytes.length, 1 << 30)));
      }
      if (size == froms.length) {
        int room = Math.max(16, 2 * size);
        froms = Arrays.copyOf(froms, room);
        tos = Arrays.copyOf(tos, room);
        offsets = Arrays.copyOf(offsets, room);
        ticks = Arrays.copyOf(ticks, room);
      }
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
