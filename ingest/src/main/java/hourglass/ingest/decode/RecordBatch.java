package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records of one partition in the order of their offsets, each of which becomes one event. A record
 * without a type, time or id gets the topic's name, the record's time, or a name from topic,
 * partition and offset. So a repeat makes the same event. Not thread-safe while records are added;
 * none may be added once the batch is read.
 */
public final class RecordBatch {
  /** The end of the year 9999: after the last hour, and far from overflow. */
  private static final long MILLIS_MAX = 253_402_300_799_999L;

  final String topic;
  final int partition;
  private final FieldMapping mapping;
  private final Arena arena;
  private final BitSet cloudEvents = new BitSet();

  /** The problems of unreadable records, by place. */
  private final Map<Integer, String> unreadable = new HashMap<>();

  private int size;
  private int length;

  /** The memory of one batch, and of another when the first is done. Not thread-safe. */
  public static final class Arena {
    private static final long BYTES_MAX = 1 << 30;

    private static final long RECORD_BYTES = Integer.BYTES + 2 * Long.BYTES;

    private byte[] bytes;

    // These contain, for each record, the end of its value, its offset and its time.
    private int[] tos;
    private long[] offsets;
    private long[] ticks;

    public Arena(int records, int valueBytes) {
      tos = new int[records];
      offsets = new long[records];
      ticks = new long[records];
      bytes = new byte[valueBytes + (records + 1) * Body.PADDING];
    }

    public long memory() {
      return bytes.length + RECORD_BYTES * tos.length;
    }

    /**
     * Makes room for one more record after {@code records}, and for {@code bytesNeeded} bytes of
     * all values.
     */
    private void reserve(int records, int bytesNeeded) {
      if (bytesNeeded > bytes.length) {
        int doubled = (int) Math.min(2L * bytes.length, BYTES_MAX);
        bytes = Arrays.copyOf(bytes, Math.max(bytesNeeded, doubled));
      }
      if (records == tos.length) {
        int capacity = Math.max(16, 2 * records);
        tos = Arrays.copyOf(tos, capacity);
        offsets = Arrays.copyOf(offsets, capacity);
        ticks = Arrays.copyOf(ticks, capacity);
      }
    }
  }

  /**
   * Creates an empty batch.
   *
   * @param topic a name that is a valid type
   * @param mapping the fields; its type overrides the topic's name
   * @param arena memory for copies of the records; no other batch uses it at the same time
   */
  public RecordBatch(String topic, int partition, FieldMapping mapping, Arena arena) {
    this.topic = topic;
    this.partition = partition;
    this.mapping = mapping;
    this.arena = arena;
  }

  /**
   * Adds a record.
   *
   * @param millis the record's time in milliseconds since 1970; negative if it has none
   * @param value JSON; the buffer's position does not change
   */
  public void add(long offset, long millis, ByteBuffer value, boolean cloudEvent) {
    cloudEvents.set(size, cloudEvent);
    add(offset, millis, value);
  }

  public void addUnreadable(long offset, long millis, ByteBuffer value, String problem) {
    unreadable.put(size, problem);
    add(offset, millis, value);
  }

  private void add(long offset, long millis, ByteBuffer value) {
    int to = Math.addExact(length, value.remaining());
    int padded = Math.addExact(to, Body.PADDING);
    arena.reserve(size, Math.addExact(padded, Body.PADDING));
    value.get(value.position(), arena.bytes, length, value.remaining());
    // Padding after each value stops the scanner, as after a body.
    Arrays.fill(arena.bytes, to, padded, (byte) 0);
    arena.tos[size] = to;
    arena.offsets[size] = offset;
    arena.ticks[size] =
        millis < 0
            ? Rfc3339.NOT_A_TIME
            : Ticks.UNIX_EPOCH + Math.min(millis, MILLIS_MAX) * Ticks.PER_MILLI;
    size++;
    length = padded;
  }

  /** Returns the arena, which another batch may use when this one is done. */
  public Arena arena() {
    return arena;
  }

  public int size() {
    return size;
  }

  /** Returns the bytes of all values with their padding. */
  public int bytes() {
    return length;
  }

  public long offset(int record) {
    return arena.offsets[record];
  }

  /** Returns the time in milliseconds since 1970; negative if the record has none. */
  public long millis(int record) {
    long ticks = arena.ticks[record];
    return ticks == Rfc3339.NOT_A_TIME ? -1 : (ticks - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
  }

  public ByteBuffer value(int record) {
    return ByteBuffer.wrap(arena.bytes, from(record), to(record) - from(record))
        .slice()
        .asReadOnlyBuffer();
  }

  /** Returns a cursor over the records. A broken record does not affect the others. */
  public ItemCursor items() {
    return new Items(this);
  }

  private int from(int record) {
    return record == 0 ? 0 : arena.tos[record - 1] + Body.PADDING;
  }

  private int to(int record) {
    return arena.tos[record];
  }

  private static final class Items extends ItemCursor {
    private final RecordBatch batch;

    /** The fields of CloudEvents, which differ from those of the topic's other records. */
    private final FieldMapping ofCloudEvents;

    private Items(RecordBatch batch) {
      super(
          Body.ofPadded(batch.arena.bytes, batch.length),
          BodyFormat.JSON,
          new ItemRules(batch.mapping, batch.topic, false, null, IdentityRule.NONE));
      this.batch = batch;
      this.isRecord = true;
      this.ofCloudEvents =
          FieldMapping.of(part -> part.equals("type") ? batch.mapping.type() : null);
    }

    @Override
    String zoneRemedy() {
      return "it has no zone; want one, such as Z or +01:00";
    }

    @Override
    @Nullable Refusal refusal() {
      String problem = batch.unreadable.isEmpty() ? null : batch.unreadable.get(index());
      return problem == null ? null : new Refusal(Reason.BODY_UNREADABLE, problem);
    }

    @Override
    boolean seek(JsonScanner json) {
      int record = index() + 1;
      if (record == batch.size) {
        return false;
      }
      isCloudEvent = batch.cloudEvents.get(record);
      mapping = isCloudEvent ? ofCloudEvents : rules.mapping();
      ticks = batch.arena.ticks[record];
      at = json.space(b, Utf8.afterMark(b, batch.from(record), batch.to(record)));
      return true;
    }

    @Override
    int end() {
      return batch.to(index());
    }
  }
}
