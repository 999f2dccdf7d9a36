package hourglass.ingest.protocols.loki;

import hourglass.bytes.JsonWriter;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.LineObject;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of streams as events, in either encoding. A line that is a JSON object gets
 * the labels and the metadata as its first member:
 *
 * <pre>
 * {"message":"a line","labels":{"app":"shop"},"metadata":{"trace":"ab"}}
 * {"_loki":{"labels":{"app":"shop"},"metadata":{"trace":"ab"}},"user":7}
 * </pre>
 *
 * Labels are written once and copied for each further entry. Many clients send a stream for each
 * line, so the labels of the last streams are kept too. Not thread-safe.
 */
final class Streams {
  static final JsonWriter.Key MESSAGE = JsonWriter.Key.of("message");
  static final JsonWriter.Key METADATA = JsonWriter.Key.of("metadata");

  /** The name of our member in an object; queries know it too. */
  static final String RESERVED = "_loki";

  private static final JsonWriter.Key OURS = JsonWriter.Key.of(RESERVED);
  private static final JsonWriter.Key LABELS = JsonWriter.Key.of("labels");

  /**
   * The number of label sets that are kept, a power of two. A client may send a stream for each
   * level, for example.
   */
  private static final int KNOWN = 8;

  private final byte[] b;
  private final ConvertedEvents events;
  private final JsonWriter payload;
  private final LabelEncoder encoder;

  // These describe the kept labels: their positions in the body, and in the payloads.
  private final int[] from = new int[KNOWN];
  private final int[] to = new int[KNOWN];
  private final int[] writtenFrom = new int[KNOWN];
  private final int[] writtenTo = new int[KNOWN];
  private final @Nullable String[] types = new String[KNOWN];
  private int count;

  /** The labels of the current stream. */
  private int slot;

  /** Reads the encoding of labels: text, or JSON. */
  interface LabelEncoder {
    /** Writes labels as an object into the payload. Returns the type that they give, or null. */
    @Nullable String write(int from, int to);
  }

  Streams(byte[] b, ConvertedEvents events, LabelEncoder encoder) {
    this.b = b;
    this.events = events;
    this.payload = events.payload();
    this.encoder = encoder;
  }

  /** Begins a stream whose labels are {@code [labelsFrom, labelsTo)} of the body. */
  void begin(int labelsFrom, int labelsTo) {
    for (int known = 0; known < Math.min(count, KNOWN); known++) {
      if (Arrays.equals(b, labelsFrom, labelsTo, b, from[known], to[known])) {
        slot = known;
        return;
      }
    }
    slot = count++ & KNOWN - 1;
    from[slot] = labelsFrom;
    to[slot] = labelsTo;
    writtenTo[slot] = 0;
  }

  /** Begins the payload of a line that is an object, with its labels. */
  void begin(LineObject line) {
    line.begin(payload);
    payload.key(OURS);
    events.envelope();
    payload.beginObject();
    labels();
  }

  /** Ends the payload of a line that is an object. */
  void end(LineObject line) {
    payload.endObject();
    line.end(payload);
  }

  /** Adds the labels as a member. */
  void labels() {
    payload.key(LABELS);
    if (writtenTo[slot] != 0) {
      payload.again(writtenFrom[slot], writtenTo[slot]);
      return;
    }
    writtenFrom[slot] = payload.position();
    types[slot] = encoder.write(from[slot], to[slot]);
    writtenTo[slot] = payload.position();
  }

  /** Adds the event whose payload was written. */
  void add(long ticks) {
    events.add(types[slot], ticks, null);
  }
}
