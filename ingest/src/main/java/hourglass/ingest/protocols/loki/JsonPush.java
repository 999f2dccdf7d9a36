package hourglass.ingest.protocols.loki;

import hourglass.bytes.JsonReader;
import hourglass.bytes.JsonWriter;
import hourglass.bytes.MalformedJsonException;
import hourglass.bytes.Rfc3339;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.LineObject;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.decode.UnescapedText;
import hourglass.ingest.http.PushRefused;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a push in JSON, and copies its texts with their escapes:
 *
 * <pre>
 * {"streams":[{"stream":{"app":"shop"},
 *              "values":[["1795434770000000001","a line",{"trace":"ab"}]]}]}
 * </pre>
 *
 * Not thread-safe.
 */
final class JsonPush {
  private static final byte[] STREAMS = "streams".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] STREAM = "stream".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VALUES = "values".getBytes(StandardCharsets.US_ASCII);

  // A label with a longer name or text, with escapes, is no type.
  private static final int NAME_BYTES_MAX = 256;
  private static final int TYPE_BYTES_MAX = 2_048;

  /**
   * The most digits of a time. More are beyond all times; this many fit an unsigned number of 64
   * bits.
   */
  private static final int NANOS_DIGITS_MAX = 19;

  // These are the places of the elements of an entry.
  private static final int TIME = 0;
  private static final int LINE = 1;
  private static final int METADATA = 2;

  private final byte[] b;
  private final JsonReader json;
  private final ConvertedEvents events;
  private final JsonWriter payload;
  private final Streams streams;

  /** Whether the labels of the current stream are known. */
  private boolean isLabelled;

  // These describe the elements of the current entry: their number, and the positions of the first
  // ones.
  private int count;
  private final int[] starts = new int[METADATA + 1];
  private final int[] ends = new int[METADATA + 1];

  /** The line of the current entry, if it may be an object. */
  private final UnescapedText line;

  private boolean mayBeObject;
  private final LineObject object;

  JsonPush(Body body, ConvertedEvents events) {
    this.b = body.bytes();
    this.events = events;
    this.payload = events.payload();
    this.json = new JsonReader(b, body.length());
    this.streams = new Streams(b, events, this::writeLabels);
    this.object = new LineObject(events.limits().levelsMax(), Streams.RESERVED);
    this.line = new UnescapedText(events.memory());
  }

  /** Reads the push. Throws {@link PushRefused} if the body is not JSON, or is JSON but no push. */
  void read() {
    try {
      json.end(json.members(json.start(), this::member));
    } catch (MalformedJsonException e) {
      throw new PushRefused(
          400, "body: not a push in JSON at byte " + e.at() + ": want " + e.expected());
    }
  }

  private int member(int value) {
    return json.isName(STREAMS) ? json.each(value, this::stream) : json.skip(value);
  }

  private int stream(int at) {
    isLabelled = false;
    return json.members(at, this::memberOfStream);
  }

  private int memberOfStream(int value) {
    if (json.isName(STREAM)) {
      return labels(value);
    }
    if (!json.isName(VALUES)) {
      return json.skip(value);
    }
    if (!isLabelled) {
      findLabels(value);
    }
    return json.each(value, this::entry);
  }

  private int labels(int at) {
    if (b[at] != 'n') {
      json.open(at, '{');
    }
    int end = json.skip(at);
    streams.begin(at, end);
    isLabelled = true;
    return end;
  }

  /**
   * Finds the labels after a value of their stream, once for each stream. Most clients send labels
   * first.
   */
  private void findLabels(int at) {
    int next = json.next(json.skip(at), '}');
    while (!isLabelled && !json.closes(next, '}')) {
      int value = json.name(next);
      next = json.next(json.isName(STREAM) ? labels(value) : json.skip(value), '}');
    }
    if (!isLabelled) {
      streams.begin(at, at);
      isLabelled = true;
    }
  }

  private int entry(int at) {
    json.reset();
    int end = b[at] == '[' ? elements(at) : json.skip(at);
    if (b[at] == '[' && count > LINE) {
      write();
    } else {
      payload.string(b, at, end);
      events.refuse(Reason.RECORD, "entry: want [time, line] or [time, line, metadata]");
    }
    return end;
  }

  private int elements(int at) {
    count = 0;
    int next = json.open(at, '[');
    while (!json.closes(next, ']')) {
      int end = count == LINE ? line(next) : json.skip(next);
      if (count <= METADATA) {
        starts[count] = next;
        ends[count] = end;
      }
      count++;
      next = json.next(end, ']');
    }
    return next + 1;
  }

  /**
   * Reads the line of an entry. A line that may be an object is also made a text in the same pass.
   */
  private int line(int at) {
    byte first = b[at] == '"' ? b[at + 1] : 0;
    mayBeObject = first == '{' || first == ' ' || first == '\\';
    return mayBeObject ? json.passed(line.read(json.scanner(), b, at + 1)) : json.skip(at);
  }

  private void write() {
    if (isObject()) {
      streams.begin(object);
      metadata();
      streams.end(object);
    } else {
      payload.beginObject().key(Streams.MESSAGE);
      message(starts[LINE], ends[LINE]);
      streams.labels();
      metadata();
      payload.endObject();
    }
    streams.add(ticks(starts[TIME], ends[TIME]));
  }

  private boolean isObject() {
    int from = starts[LINE];
    return b[from] == '"'
        ? mayBeObject && line.isText() && object.read(line.bytes(), 0, line.length())
        : object.read(b, from, ends[LINE]);
  }

  private void message(int from, int to) {
    if (b[from] != '"') {
      payload.string(b, from, to);
    } else if (json.isUtf8()) { // the whole entry
      payload.raw(b, from, to);
    } else {
      payload.repaired(b, from, to);
    }
  }

  private void metadata() {
    if (count > METADATA && b[starts[METADATA]] == '{') {
      metadata(starts[METADATA]);
    }
  }

  private void metadata(int at) {
    if (!json.closes(json.open(at, '{'), '}')) {
      payload.key(Streams.METADATA);
      writeTexts(at, (name, value) -> {});
    }
  }

  private @Nullable String writeLabels(int from, int to) {
    ServiceLabel service = new ServiceLabel();
    if (from < to && b[from] == '{') {
      writeTexts(from, service::offer);
    } else {
      payload.beginObject().endObject();
    }
    return service.type();
  }

  /**
   * Writes an object of texts that was scanned. A value of another kind becomes the text of its
   * JSON; a null is left out.
   */
  private void writeTexts(int at, BiConsumer<String, Supplier<String>> reader) {
    payload.beginObject();
    int next = json.open(at, '{');
    while (!json.closes(next, '}')) {
      int name = next;
      int value = json.name(name);
      int nameEnd = json.nameEnd();
      int end = json.skip(value);
      if (b[value] == '"') {
        copy(name, nameEnd);
        payload.colon();
        copy(value, end);
        if (nameEnd - name <= NAME_BYTES_MAX && end - value <= TYPE_BYTES_MAX) {
          reader.accept(json.text(name + 1, nameEnd - 1), () -> json.text(value + 1, end - 1));
        }
      } else if (b[value] != 'n') {
        copy(name, nameEnd);
        payload.colon().string(b, value, end);
      }
      next = json.next(end, '}');
    }
    payload.endObject();
  }

  /** Copies a string that was scanned, with its escapes. */
  private void copy(int from, int to) {
    json.reset();
    json.skip(from);
    if (json.isUtf8()) {
      payload.raw(b, from, to);
    } else {
      payload.repaired(b, from, to);
    }
  }

  /**
   * Returns the ticks of nanoseconds since 1970, as text or as a number, without a fraction or an
   * exponent.
   */
  private long ticks(int from, int to) {
    int quote = b[from] == '"' ? 1 : 0;
    int digits = to - from - 2 * quote;
    if (digits < 1 || digits > NANOS_DIGITS_MAX) {
      return Rfc3339.NOT_A_TIME;
    }
    long nanos = 0;
    for (int i = from + quote; i < to - quote; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit > 9) {
        return Rfc3339.NOT_A_TIME;
      }
      nanos = 10 * nanos + digit;
    }
    return ConvertedEvents.ticksOfNanos(nanos);
  }
}
