package hourglass.ingest.protocols.loki;

import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonWriter;
import hourglass.bytes.Rfc3339;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.LineObject;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.protocols.protobuf.MalformedProtobufException;
import hourglass.ingest.protocols.protobuf.ProtobufReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a push in protocol buffers:
 *
 * <pre>
 * PushRequest { repeated Stream streams = 1 }
 * Stream      { string labels = 1; repeated Entry entries = 2 }
 * Entry       { Timestamp timestamp = 1; string line = 2; repeated Label structuredMetadata = 3 }
 * Timestamp   { int64 seconds = 1; int32 nanos = 2 }
 * Label       { string name = 1; string value = 2 }
 * </pre>
 *
 * Other fields are passed over. Source: pkg/push/push.proto of Loki. Not thread-safe.
 */
final class ProtobufPush {
  /** The label that contains labels whose text cannot be read. */
  private static final String UNPARSED = "unparsed";

  /** The end of times, in 2514. Larger numbers are no times, and may overflow. */
  private static final long SECONDS_MAX = 1L << 34;

  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final int NANOS_PER_TICK = 100;

  private final byte[] b;
  private final int length;
  private final ConvertedEvents events;
  private final JsonWriter payload;
  private final Streams streams;
  private final ProtobufReader reader;

  private final LineObject object;

  // These describe the current entry.
  private long ticks;
  private int lineFrom;
  private int lineTo;
  private boolean hasMetadata;

  ProtobufPush(Body body, ConvertedEvents events) {
    this.b = body.bytes();
    this.length = body.length();
    this.events = events;
    this.payload = events.payload();
    this.streams = new Streams(b, events, this::writeLabels);
    this.reader = new ProtobufReader(b);
    this.object = new LineObject(events.limits().levelsMax(), Streams.RESERVED);
  }

  /** Reads the push. Throws {@link PushRefused} if the body is not one. */
  void read() {
    try {
      reader.each(0, length, 1, this::stream);
    } catch (MalformedProtobufException e) {
      throw new PushRefused(400, "body: " + e.getMessage() + ", unpacked");
    }
  }

  private boolean isRange(int field) {
    return reader.field() == field && reader.isRange();
  }

  private void stream(int from, int to) {
    int labelsFrom = from;
    int labelsTo = from;
    reader.enter(from, to);
    while (reader.next()) {
      if (isRange(1)) {
        labelsFrom = reader.from();
        labelsTo = reader.to();
      }
    }
    streams.begin(labelsFrom, labelsTo);
    reader.each(from, to, 2, this::entry);
  }

  private void entry(int from, int to) {
    ticks = Rfc3339.NOT_A_TIME;
    lineFrom = from;
    lineTo = from;
    hasMetadata = false;
    reader.enter(from, to);
    while (reader.next()) {
      if (isRange(1)) {
        reader.nested(this::time);
      } else if (isRange(2)) {
        lineFrom = reader.from();
        lineTo = reader.to();
      } else if (isRange(3)) {
        hasMetadata = true;
      }
    }
    if (object.read(b, lineFrom, lineTo)) {
      streams.begin(object);
      metadata(from, to);
      streams.end(object);
    } else {
      payload.beginObject().key(Streams.MESSAGE).string(b, lineFrom, lineTo);
      streams.labels();
      metadata(from, to);
      payload.endObject();
    }
    streams.add(ticks);
  }

  private void time(int from, int to) {
    long seconds = 0;
    long nanos = 0;
    reader.enter(from, to);
    while (reader.next()) {
      if (reader.isVarint() && reader.field() == 1) {
        seconds = reader.number();
      } else if (reader.isVarint() && reader.field() == 2) {
        nanos = reader.number();
      }
    }
    boolean isTime = seconds > 0 && seconds < SECONDS_MAX && nanos >= 0 && nanos < NANOS_PER_SECOND;
    ticks =
        isTime
            ? Ticks.UNIX_EPOCH + seconds * Ticks.PER_SECOND + nanos / NANOS_PER_TICK
            : Rfc3339.NOT_A_TIME;
  }

  private void metadata(int entryFrom, int entryTo) {
    if (!hasMetadata) {
      return;
    }
    payload.key(Streams.METADATA).beginObject();
    reader.each(entryFrom, entryTo, 3, this::pair);
    payload.endObject();
  }

  private void pair(int from, int to) {
    int nameFrom = from;
    int nameTo = from;
    int valueFrom = from;
    int valueTo = from;
    reader.enter(from, to);
    while (reader.next()) {
      if (isRange(1)) {
        nameFrom = reader.from();
        nameTo = reader.to();
      } else if (isRange(2)) {
        valueFrom = reader.from();
        valueTo = reader.to();
      }
    }
    payload.key(b, nameFrom, nameTo).string(b, valueFrom, valueTo);
  }

  private @Nullable String writeLabels(int from, int to) {
    Map<String, String> labels = labels(from, to);
    ServiceLabel service = new ServiceLabel();
    payload.beginObject();
    labels.forEach(
        (name, value) -> {
          payload.key(name).string(value);
          service.offer(name, () -> value);
        });
    payload.endObject();
    return service.type();
  }

  private Map<String, String> labels(int from, int to) {
    boolean isShort = to - from <= events.limits().eventBytesMax();
    Map<String, String> labels = isShort ? new LabelText(b, from, to).read() : null;
    return labels == null
        ? Map.of(UNPARSED, new String(b, from, to - from, StandardCharsets.UTF_8))
        : labels;
  }
}
