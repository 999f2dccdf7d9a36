package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonText;
import hourglass.bytes.JsonWriter;
import hourglass.bytes.Rfc3339;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events that a protocol's records become, in the order sent: write a payload, then add it with
 * its type, time and id. Nothing may be added once it is read. Not thread-safe.
 *
 * <p>A payload is one JSON object. Those of {@link #payload} are JSON already; those of {@link
 * #addDocument} came from the client and are checked.
 */
public final class ConvertedEvents {
  static final int NO_ENVELOPE = -1;

  private static final int RECORD_BYTES = 3 * Integer.BYTES + Long.BYTES + 2 * Long.BYTES;

  /** A place in a map, and the error of a verdict that is made of it. */
  private static final int REFUSAL_BYTES = 256;

  /** Most events have less; the text grows where they have more. */
  private static final int CAPACITY_MIN = 256;

  private final Memory memory;
  private final ConversionLimits limits;
  private final JsonWriter json;

  // For each event: where its payload ends, and its envelope begins; its time, type and id.
  private int[] ends = new int[16];
  private int[] envelopes = new int[16];
  private long[] ticks = new long[16];
  private @Nullable String[] types = new String[16];
  private byte[] @Nullable [] ids = new byte[16][];

  /** By place: whether the payload is a client's own text. */
  private boolean[] documents = new boolean[16];

  /** Of records that become no event, by place. */
  private final Map<Integer, ItemCursor.Refusal> refusals = new HashMap<>();

  private int size;

  /** Where the {@link #envelope} of the next payload begins. */
  private int envelopeAt = NO_ENVELOPE;

  private long ignored;
  private String ignoredBecause = "";

  /** Empty. All that it holds is reserved in {@code memory}, which throws where it is short. */
  public ConvertedEvents(Memory memory, int likelyBytes, ConversionLimits limits) {
    this.memory = memory;
    this.limits = limits;
    int capacity = Math.min(limits.bytesMax(), Math.max(CAPACITY_MIN, likelyBytes));
    this.json = new JsonWriter(memory, capacity, limits.bytesMax());
  }

  /** Where a protocol reserves what it makes of the body besides. */
  public Memory memory() {
    return memory;
  }

  public ConversionLimits limits() {
    return limits;
  }

  /**
   * Takes the next payload; the events before it stay as they are. It throws {@link
   * Memory#tooLarge} where all together are larger than {@link ConversionLimits#bytesMax}.
   */
  public JsonWriter payload() {
    return json;
  }

  /**
   * Says that the next value of the payload is an object of the protocol's own, inside of an object
   * of the client's. A path of a field is looked up in it first.
   */
  public void envelope() {
    envelopeAt = json.position();
  }

  /**
   * Adds the event whose payload was written last.
   *
   * @param type it need not be valid; null: the event has none
   * @param eventTicks {@link Rfc3339#NOT_A_TIME} for an event without a time
   * @param id unique within type and time; null: the event has none
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

  /** Adds a record that becomes no event. What was written of its payload is kept as a sample. */
  public void refuse(Reason reason, String problem) {
    memory.reserve(REFUSAL_BYTES + 2L * problem.length());
    append(null, Rfc3339.NOT_A_TIME, null, false);
    refusals.put(size - 1, new ItemCursor.Refusal(reason, problem));
  }

  /** Counts records of a kind that is not kept, for all of which the problem is the same. */
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

  /** Moves what was written since the last event. */
  public void moveTo(JsonText fragment) {
    fragment.clear();
    fragment.raw(json.bytes(), from(size), json.length());
    discard();
  }

  /** Forgets what was written since the last event. */
  public void discard() {
    json.cut(from(size));
    envelopeAt = NO_ENVELOPE;
  }

  private void append(@Nullable String type, long eventTicks, @Nullable String id, boolean isDoc) {
    if (size == ends.length) {
      grow();
    }
    byte[] utf8 = id == null ? null : id.getBytes(StandardCharsets.UTF_8);
    if (utf8 != null) {
      memory.reserve(utf8.length + 2L * Long.BYTES);
    }
    int end = json.length();
    json.pad(Body.PADDING);
    if (!isDoc) { // a document may be broken, and the scan of it must end before the next one
      json.cut(end);
    }
    // Nothing fails from here on: an event counts wholly, or can be discarded.
    ends[size] = end;
    envelopes[size] = envelopeAt;
    envelopeAt = NO_ENVELOPE;
    ticks[size] = eventTicks;
    types[size] = type;
    documents[size] = isDoc;
    ids[size] = utf8;
    size++;
  }

  private void grow() {
    int capacity = 2 * size;
    memory.reserve((long) RECORD_BYTES * (capacity - size));
    ends = Arrays.copyOf(ends, capacity);
    envelopes = Arrays.copyOf(envelopes, capacity);
    ticks = Arrays.copyOf(ticks, capacity);
    types = Arrays.copyOf(types, capacity);
    ids = Arrays.copyOf(ids, capacity);
    documents = Arrays.copyOf(documents, capacity);
  }

  public int size() {
    return size;
  }

  /** Bytes of all payloads, with the padding of documents. */
  public int bytes() {
    return json.length();
  }

  /** The payloads, the last one and each document followed by zeros. */
  Body body() {
    int length = json.length();
    json.pad(Body.PADDING);
    json.cut(length); // a write that is repeated reads it again
    return Body.ofPadded(json.bytes(), length);
  }

  int from(int event) {
    if (event == 0) {
      return 0;
    }
    return ends[event - 1] + (documents[event - 1] ? Body.PADDING : 0);
  }

  int to(int event) {
    return ends[event];
  }

  /** Where the {@link #envelope} begins; {@link #NO_ENVELOPE} if there is none. */
  int envelope(int event) {
    return envelopes[event];
  }

  long ticks(int event) {
    return ticks[event];
  }

  @Nullable String type(int event) {
    return types[event];
  }

  byte @Nullable [] id(int event) {
    return ids[event];
  }

  boolean isDocument(int event) {
    return documents[event];
  }

  ItemCursor.@Nullable Refusal refusal(int event) {
    return refusals.isEmpty() ? null : refusals.get(event);
  }

  /**
   * The ticks of a time in nanoseconds since 1970; {@link Rfc3339#NOT_A_TIME} for 0, by which many
   * protocols mean that there is none. A negative one is taken as unsigned, and so is out of range.
   */
  public static long ticksOfNanos(long unsignedNanos) {
    return unsignedNanos == 0
        ? Rfc3339.NOT_A_TIME
        : Ticks.UNIX_EPOCH + Long.divideUnsigned(unsignedNanos, 100);
  }
}
