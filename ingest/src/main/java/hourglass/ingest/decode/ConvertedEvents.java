package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonText;
import hourglass.bytes.JsonWriter;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events that a protocol's records become, in the order sent. A payload is written first, then
 * added with its type, time and id. Nothing may be added once the events are read. Not thread-safe.
 *
 * <p>A payload is one JSON object. Those of {@link #payload} are JSON already; those of {@link
 * #addDocument} came from the client and are checked.
 */
public final class ConvertedEvents {
  static final int NO_ENVELOPE = -1;

  private static final int RECORD_BYTES = 3 * Integer.BYTES + Long.BYTES + 2 * Long.BYTES;

  /** The memory of a refusal: a place in a map, and the error of a verdict that is made of it. */
  private static final int REFUSAL_BYTES = 256;

  /** The least capacity at first. Most events are shorter; the text grows where they need more. */
  private static final int CAPACITY_MIN = 256;

  private final Memory memory;
  private final ConversionLimits limits;
  private final JsonWriter json;

  private final Records records = new Records();

  /** The refusals of records that become no event, by place. */
  private final Map<Integer, ItemCursor.Refusal> refusals = new HashMap<>();

  /** The position at which the {@link #envelope} of the next payload begins. */
  private int envelopeAt = NO_ENVELOPE;

  private long ignored;
  private String ignoredBecause = "";

  /**
   * Creates an empty list. All memory that it holds is reserved in {@code memory}, which throws
   * where it is short.
   */
  public ConvertedEvents(Memory memory, int likelyBytes, ConversionLimits limits) {
    this.memory = memory;
    this.limits = limits;
    int capacity = Math.min(limits.bytesMax(), Math.max(CAPACITY_MIN, likelyBytes));
    this.json = new JsonWriter(memory, capacity, limits.bytesMax());
  }

  /** Returns the memory in which a protocol reserves what else it makes of the body. */
  public Memory memory() {
    return memory;
  }

  public ConversionLimits limits() {
    return limits;
  }

  /**
   * Returns the writer of the next payload; the events before it stay as they are. It throws {@link
   * Memory#tooLarge} where all together are larger than {@link ConversionLimits#bytesMax}.
   */
  public JsonWriter payload() {
    return json;
  }

  /**
   * Marks the next value of the payload as an object of the protocol, inside of an object of the
   * client. A path of a field is looked up in it first.
   */
  public void envelope() {
    envelopeAt = json.position();
  }

  /**
   * Adds the event whose payload was written last.
   *
   * @param type a type, which need not be valid; null if the event has none
   * @param eventTicks the time; {@link Rfc3339#NOT_A_TIME} if the event has none
   * @param id unique within type and time; null if the event has none
   */
  public void add(@Nullable String type, long eventTicks, @Nullable String id) {
    append(type, eventTicks, id, false);
  }

  /** Adds an event whose payload is {@code [from, to)}, as the client sent it. */
  public void addDocument(
      byte[] b, int from, int to, @Nullable String type, long eventTicks, @Nullable String id) {
    json.raw(b, from, to);
    append(type, eventTicks, id, true);
  }

  /** Adds a record that becomes no event. The written part of its payload is kept as a sample. */
  public void refuse(Reason reason, String problem) {
    memory.reserve(REFUSAL_BYTES + 2L * problem.length());
    append(null, Rfc3339.NOT_A_TIME, null, false);
    refusals.put(records.size - 1, new ItemCursor.Refusal(reason, problem));
  }

  /** Counts records of a kind that is not kept. The problem is the same for all of them. */
  public void ignore(long records, String problem) {
    ignored += records;
    ignoredBecause = problem;
  }

  public long ignored() {
    return ignored;
  }

  public String ignoredBecause() {
    return ignoredBecause;
  }

  /** Moves the bytes that were written since the last event. */
  public void moveTo(JsonText fragment) {
    fragment.clear();
    fragment.raw(json.bytes(), records.from(records.size), json.length());
    discard();
  }

  /** Forgets the bytes that were written since the last event. */
  public void discard() {
    json.cut(records.from(records.size));
    envelopeAt = NO_ENVELOPE;
  }

  private void append(@Nullable String type, long eventTicks, @Nullable String id, boolean isDoc) {
    records.reserveNext(memory);
    byte[] utf8 = id == null ? null : id.getBytes(StandardCharsets.UTF_8);
    if (utf8 != null) {
      memory.reserve(utf8.length + 2L * Long.BYTES);
    }
    int end = json.length();
    json.pad(Body.PADDING);
    if (!isDoc) { // a document may be broken, and the scan of it must end before the next one
      json.cut(end);
    }
    // No step below fails: an event counts wholly, or can be discarded.
    records.add(end, envelopeAt, eventTicks, type, utf8, isDoc);
    envelopeAt = NO_ENVELOPE;
  }

  public int size() {
    return records.size;
  }

  /** Returns the bytes of all payloads, with the padding of documents. */
  public int bytes() {
    return json.length();
  }

  /** Returns a cursor over all events, whose bytes never change. */
  public ItemCursor items(ItemRules rules) {
    return new Items(this, rules, 0, records.size, null, true);
  }

  /**
   * Returns a cursor over the events {@code [from, to)}, for a write that may be repeated.
   *
   * @param refusal the refusal of all of them; null if they are written
   */
  ItemCursor items(ItemRules rules, int from, int to, ItemCursor.@Nullable Refusal refusal) {
    return new Items(this, rules, from, to, refusal, false);
  }

  /** Returns the payloads. Zeros follow the last one and each document. */
  private Body body() {
    int length = json.length();
    json.pad(Body.PADDING);
    json.cut(length); // a write that is repeated reads it again
    return Body.ofPadded(json.bytes(), length);
  }

  /**
   * Returns the ticks of a time in nanoseconds since 1970; {@link Rfc3339#NOT_A_TIME} for 0, by
   * which many protocols mean that there is no time. A negative number is read as unsigned, and so
   * is out of range.
   */
  public static long ticksOfNanos(long unsignedNanos) {
    return unsignedNanos == 0
        ? Rfc3339.NOT_A_TIME
        : Ticks.UNIX_EPOCH + Long.divideUnsigned(unsignedNanos, 100);
  }

  /** The places of payloads, with times, types and ids, in arrays that grow together. */
  private static final class Records {
    private int[] ends = new int[16];

    /** The begin of each envelope. */
    private int[] envelopes = new int[16];

    private long[] ticks = new long[16];
    private @Nullable String[] types = new String[16];
    private byte[] @Nullable [] ids = new byte[16][];

    /** Whether the payload at a place is a client's own text. */
    private boolean[] documents = new boolean[16];

    private int size;

    /** Makes room for one more record, whose addition then cannot fail. */
    private void reserveNext(Memory memory) {
      if (size < ends.length) {
        return;
      }
      int capacity = 2 * size;
      memory.reserve((long) RECORD_BYTES * (capacity - size));
      ends = Arrays.copyOf(ends, capacity);
      envelopes = Arrays.copyOf(envelopes, capacity);
      ticks = Arrays.copyOf(ticks, capacity);
      types = Arrays.copyOf(types, capacity);
      ids = Arrays.copyOf(ids, capacity);
      documents = Arrays.copyOf(documents, capacity);
    }

    private void add(
        int end,
        int envelope,
        long eventTicks,
        @Nullable String type,
        byte @Nullable [] id,
        boolean isDocument) {
      ends[size] = end;
      envelopes[size] = envelope;
      ticks[size] = eventTicks;
      types[size] = type;
      ids[size] = id;
      documents[size] = isDocument;
      size++;
    }

    /** Returns the begin of the payload at a place; at {@code size}, that of the next one. */
    private int from(int place) {
      if (place == 0) {
        return 0;
      }
      return ends[place - 1] + (documents[place - 1] ? Body.PADDING : 0);
    }
  }

  /** A record that becomes no event does not affect the others. */
  private static final class Items extends ItemCursor {
    private final ConvertedEvents events;
    private final int from;
    private final int to;
    private final @Nullable Refusal ofAll;
    private final boolean isPacked;

    private Items(
        ConvertedEvents events,
        ItemRules rules,
        int from,
        int to,
        @Nullable Refusal ofAll,
        boolean isPacked) {
      super(events.body(), BodyFormat.JSON, rules, from);
      this.events = events;
      this.from = from;
      this.to = to;
      this.ofAll = ofAll;
      this.isPacked = isPacked;
    }

    @Override
    public int length() {
      return from == to ? 0 : events.records.ends[to - 1] - events.records.from(from);
    }

    @Override
    @Nullable Refusal refusal() {
      return ofAll != null || events.refusals.isEmpty() ? ofAll : events.refusals.get(index());
    }

    @Override
    boolean isPacked() {
      return isPacked;
    }

    @Override
    boolean takesNullType() {
      return true;
    }

    /**
     * Returns whether the event is recognized when it is sent again. Clients that repeat would
     * store an old one again and again.
     */
    @Override
    boolean refusesOld() {
      IdentityRule rule = rules.identity();
      boolean isNamed = rule == IdentityRule.BODY || rule == IdentityRule.CONTENT;
      return isNamed || id != null;
    }

    @Override
    boolean isChecked() {
      return !events.records.documents[index()];
    }

    @Override
    int envelope() {
      return events.records.envelopes[index()];
    }

    @Override
    boolean seek(JsonScanner json) {
      int event = index() + 1;
      if (event == to) {
        return false;
      }
      type = events.records.types[event];
      ticks = events.records.ticks[event];
      id = events.records.ids[event];
      at = events.records.from(event);
      if (events.records.documents[event]) {
        at = json.space(b, Utf8.afterMark(b, at, events.records.ends[event]));
      }
      return true;
    }

    @Override
    int end() {
      return events.records.ends[index()];
    }
  }
}
