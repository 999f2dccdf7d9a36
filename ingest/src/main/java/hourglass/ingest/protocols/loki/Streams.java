package hourglass.ingest.protocols.loki;

import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.JsonWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of streams as events, in either encoding. Labels are written once and copied
 * for each further entry; many clients send a stream for each line, so those of the last streams
 * are known too. Not thread-safe.
 */
final class Streams {
  static final JsonWriter.Key MESSAGE = JsonWriter.Key.of("message");
  static final JsonWriter.Key METADATA = JsonWriter.Key.of("metadata");
  static final JsonWriter.Key JSON = JsonWriter.Key.of("json");
  private static final JsonWriter.Key LABELS = JsonWriter.Key.of("labels");

  /** A power of two. A client has a stream for each level, say. */
  private static final int KNOWN = 8;

  private final byte[] b;
  private final ConvertedEvents events;
  private final JsonWriter payload;
  private final LabelEncoder encoder;

  // Of known labels: where they are in the body, and where in the payloads.
  private final int[] from = new int[KNOWN];
  private final int[] to = new int[KNOWN];
  private final int[] writtenFrom = new int[KNOWN];
  private final int[] writtenTo = new int[KNOWN];
  private final @Nullable String[] types = new String[KNOWN];
  private int count;

  /** The labels of the current stream. */
  private int slot;

  /** Of the encoding of labels: text, or JSON. */
  interface LabelEncoder {
    /** Writes labels as an object into the payload; returns the type that they say, or null. */
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

  /** Adds the labels to a payload that has its message. */
  void labels() {
    if (writtenTo[slot] != 0) {
      payload.membersAgain(writtenFrom[slot], writtenTo[slot]);
      return;
    }
    writtenFrom[slot] = payload.position();
    payload.key(LABELS);
    types[slot] = encoder.write(from[slot], to[slot]);
    writtenTo[slot] = payload.position();
  }

  /** Ends a payload that has its labels. */
  void add(long ticks) {
    payload.endObject();
    events.add(types[slot], ticks, null);
  }
}
