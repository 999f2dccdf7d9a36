package hourglass.ingest;

import hourglass.bucketing.Ticks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
  private final List<Entry> entries;

  /** A record, whose value is {@code [from, to)} of the body. */
  private record Entry(
      int from, int to, long offset, long ticks, boolean cloudEvent, @Nullable String unreadable) {}

  private RecordBatch(Builder builder) {
    this.topic = builder.topic;
    this.partition = builder.partition;
    this.mapping = builder.mapping;
    this.body = Body.ofPadded(builder.bytes, builder.length);
    this.entries = List.copyOf(builder.entries);
  }

  /**
   * An empty batch.
   *
   * @param topic a name that can be a type
   * @param mapping which fields make an event; a type in it goes before the topic's name
   */
  public static Builder builder(String topic, int partition, FieldMapping mapping) {
    return new Builder(topic, partition, mapping);
  }

  public int size() {
    return entries.size();
  }

  /** Bytes of all values, and a little for each. */
  public int bytes() {
    return body.length();
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
    return entries.get(record).from;
  }

  int to(int record) {
    return entries.get(record).to;
  }

  long offset(int record) {
    return entries.get(record).offset;
  }

  /** The record's time, or {@link TimeText#NOT_A_TIME} if it has none. */
  long ticks(int record) {
    return entries.get(record).ticks;
  }

  boolean isCloudEvent(int record) {
    return entries.get(record).cloudEvent;
  }

  /** Why the record cannot be read at all, or null. */
  @Nullable String unreadable(int record) {
    return entries.get(record).unreadable;
  }

  /** Takes records in the order of their offsets. Not thread-safe; use it once. */
  public static final class Builder {
    private final String topic;
    private final int partition;
    private final FieldMapping mapping;
    private final List<Entry> entries = new ArrayList<>();
    private byte[] bytes = new byte[1024];
    private int length;

    private Builder(String topic, int partition, FieldMapping mapping) {
      this.topic = topic;
      this.partition = partition;
      this.mapping = mapping;
    }

    /**
     * Adds a record.
     *
     * @param millis the record's time, milliseconds since 1970; negative: it has none
     * @param value JSON; its position stays
     * @param cloudEvent whether that is a CloudEvent
     */
    public Builder add(long offset, long millis, ByteBuffer value, boolean cloudEvent) {
      return add(offset, millis, value, cloudEvent, null);
    }

    /** Adds a record of which a transport can tell that no event can be made of it. */
    public Builder addUnreadable(long offset, ByteBuffer value, String problem) {
      return add(offset, -1, value, false, problem);
    }

    private Builder add(
        long offset,
        long millis,
        ByteBuffer value,
        boolean cloudEvent,
        @Nullable String unreadable) {
      int from = length;
      int to = Math.addExact(from, value.remaining());
      // Zeros behind each value, as behind a body: whatever is read stops there.
      int padded = Math.addExact(to, 2 * Body.PADDING);
      if (padded > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(padded, (int) Math.min(2L * bytes.length, 1 << 30)));
      }
      value.get(value.position(), bytes, from, value.remaining());
      length = to + Body.PADDING;
      long ticks =
          millis < 0
              ? TimeText.NOT_A_TIME
              : Ticks.UNIX_EPOCH + Math.min(millis, MILLIS_MAX) * Ticks.PER_MILLI;
      entries.add(new Entry(from, to, offset, ticks, cloudEvent, unreadable));
      return this;
    }

    public RecordBatch build() {
      return new RecordBatch(this);
    }
  }
}
