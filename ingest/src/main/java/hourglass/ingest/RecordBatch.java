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
  private final RecordValues values;
  private final int size;

  // Of each record.
  private final long[] offsets;
  private final long[] ticks;
  private final BitSet cloudEvents;

  /** Why some cannot be read, by their places. */
  private final Map<Integer, String> unreadable;

  private RecordBatch(Builder builder) {
    this.topic = builder.topic;
    this.partition = builder.partition;
    this.mapping = builder.mapping;
    this.values = builder.values.build();
    this.size = builder.values.size();
    this.offsets = builder.offsets;
    this.ticks = builder.ticks;
    this.cloudEvents = builder.cloudEvents;
    this.unreadable = builder.unreadable;
  }

  private RecordBatch(RecordBatch other, RecordValues values) {
    this.topic = other.topic;
    this.partition = other.partition;
    this.mapping = other.mapping;
    this.values = values;
    this.size = other.size;
    this.offsets = other.offsets;
    this.ticks = other.ticks;
    this.cloudEvents = other.cloudEvents;
    this.unreadable = other.unreadable;
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

  /** Whether a value stands so that it can be used where it is. */
  public static boolean canStayInPlace(ByteBuffer value) {
    return RecordValues.isZeroEnded(value);
  }

  public int size() {
    return size;
  }

  /** Bytes of all values, and a little for each. */
  public int bytes() {
    return values.length();
  }

  /**
   * Bytes of the array that was lent by whoever added the records, and is kept from being collected
   * by this batch; 0 if it has all values itself.
   */
  public int lentBytes() {
    return values.lentBytes();
  }

  /** The same records, whose values hold no array that was lent. */
  public RecordBatch copied() {
    return lentBytes() == 0 ? this : new RecordBatch(this, values.copied());
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
    return values.value(record);
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

  RecordValues values() {
    return values;
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
    private final RecordValues.Builder values;
    private long[] offsets;
    private long[] ticks;

    private Builder(
        String topic, int partition, FieldMapping mapping, int records, int valueBytes) {
      this.topic = topic;
      this.partition = partition;
      this.mapping = mapping;
      values = new RecordValues.Builder(records, valueBytes);
      offsets = new long[records];
      ticks = new long[records];
    }

    /**
     * Adds a record.
     *
     * @param millis the record's time, milliseconds since 1970; negative: it has none
     * @param value JSON; its position stays. Its array must not change any more: it may be used
     *     where it is
     * @param cloudEvent whether that is a CloudEvent
     */
    public Builder add(long offset, long millis, ByteBuffer value, boolean cloudEvent) {
      cloudEvents.set(size(), cloudEvent);
      add(offset, millis, value);
      return this;
    }

    /**
     * Adds a record of which a transport can tell that no event can be made of it.
     *
     * @param millis as of {@link #add}
     */
    public Builder addUnreadable(long offset, long millis, ByteBuffer value, String problem) {
      unreadable.put(size(), problem);
      add(offset, millis, value);
      return this;
    }

    private void add(long offset, long millis, ByteBuffer value) {
      int at = size();
      if (at == offsets.length) {
        int room = Math.max(16, 2 * at);
        offsets = Arrays.copyOf(offsets, room);
        ticks = Arrays.copyOf(ticks, room);
      }
      offsets[at] = offset;
      ticks[at] =
          millis < 0
              ? TimeText.NOT_A_TIME
              : Ticks.UNIX_EPOCH + Math.min(millis, MILLIS_MAX) * Ticks.PER_MILLI;
      values.add(value);
    }

    /** How many records were added. */
    public int size() {
      return values.size();
    }

    /** As {@link RecordBatch#bytes}, so far. */
    public int bytes() {
      return values.length();
    }

    /** As {@link RecordBatch#lentBytes}, so far. */
    public int lentBytes() {
      return values.lentBytes();
    }

    /** Whether a value would be used where it is, as all before it are. */
    public boolean staysInPlace(ByteBuffer value) {
      return values.staysInPlace(value);
    }

    /** Copies what is used where it is, so that no array is lent. */
    public void copy() {
      values.copyWhatIsLent();
    }

    public RecordBatch build() {
      return new RecordBatch(this);
    }
  }
}
