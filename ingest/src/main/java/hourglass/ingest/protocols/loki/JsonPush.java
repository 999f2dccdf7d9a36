package hourglass.ingest.protocols.loki;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonString;
import hourglass.bytes.JsonWriter;
import hourglass.bytes.Rfc3339;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.LineObject;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.decode.UnescapedText;
import hourglass.ingest.http.PushRefused;
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
  /** The longest key that is compared, with escapes: six bytes for a character at most. */
  private static final int KEY_BYTES_MAX = 256;

  /** The longest label that may be a type, with escapes. */
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
  private final int length;
  private final JsonScanner json;
  private final ConvertedEvents events;
  private final JsonWriter payload;
  private final Streams streams;

  /** Whether the labels of the current stream are known. */
  private boolean isLabelled;

  // These bound the last key, inside its quotes.
  private int keyFrom;
  private int keyTo;

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
    this.length = body.length();
    this.events = events;
    this.payload = events.payload();
    this.json = new JsonScanner(events.limits().levelsMax());
    this.streams = new Streams(b, events, this::writeLabels);
    this.object = new LineObject(events.limits().levelsMax(), Streams.RESERVED);
    this.line = new UnescapedText(events.memory());
  }

  /** Reads the push. Throws {@link PushRefused} if the body is not JSON, or is JSON but no push. */
  void read() {
    json.reset();
    int i = first(expect('{', json.space(b, 0)), '}');
    while (i >= 0) {
      int value = value(i);
      i = next(isKey("streams") ? streams(value) : skip(value), '}');
    }
    int end = json.space(b, ~i);
    if (end < length) {
      throw broken(end, "nothing more");
    }
  }

  private int streams(int at) {
    if (b[at] == 'n') {
      return skip(at);
    }
    int i = first(expect('[', at), ']');
    while (i >= 0) {
      i = next(stream(expect('{', i)), ']');
    }
    return ~i;
  }

  private int stream(int at) {
    isLabelled = false;
    int i = first(at, '}');
    while (i >= 0) {
      int value = value(i);
      if (isKey("stream")) {
        i = next(labels(value), '}');
      } else if (isKey("values")) {
        if (!isLabelled) {
          findLabels(value);
        }
        i = next(entries(value), '}');
      } else {
        i = next(skip(value), '}');
      }
    }
    return ~i;
  }

  private int labels(int at) {
    json.reset();
    int end = skip(b[at] == 'n' ? at : expect('{', at));
    streams.begin(at, end);
    isLabelled = true;
    return end;
  }

  /**
   * Finds the labels after a value of their stream, once for each stream. Most clients send labels
   * first.
   */
  private void findLabels(int at) {
    int i = next(skip(at), '}');
    while (i >= 0 && !isLabelled) {
      int value = value(i);
      i = next(isKey("stream") ? labels(value) : skip(value), '}');
    }
    if (!isLabelled) {
      streams.begin(at, at);
      isLabelled = true;
    }
  }

  private int entries(int at) {
    if (b[at] == 'n') {
      return skip(at);
    }
    int i = first(expect('[', at), ']');
    while (i >= 0) {
      i = next(entry(i), ']');
    }
    return ~i;
  }

  private int entry(int at) {
    json.reset();
    int end = b[at] == '[' ? elements(at) : skip(at);
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
    int i = first(at, ']');
    while (i >= 0) {
      int end = count == LINE ? line(i) : skip(i);
      if (count <= METADATA) {
        starts[count] = i;
        ends[count] = end;
      }
      count++;
      i = next(end, ']');
    }
    return ~i;
  }

  /**
   * Reads the line of an entry. A line that may be an object is also made a text in the same pass.
   */
  private int line(int at) {
    byte first = b[at] == '"' ? b[at + 1] : 0;
    mayBeObject = first == '{' || first == ' ' || first == '\\';
    return mayBeObject ? checked(line.read(json, b, at + 1)) : skip(at);
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
    } else if (json.notUtf8At() < 0) { // in the whole entry
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
    if (first(at, '}') >= 0) {
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
    int i = first(at, '}');
    while (i >= 0) {
      int key = i;
      int value = value(key);
      int keyEnd = keyTo + 1;
      int end = skip(value);
      if (b[value] == '"') {
        copy(key, keyEnd);
        payload.colon();
        copy(value, end);
        if (keyEnd - key <= KEY_BYTES_MAX && end - value <= TYPE_BYTES_MAX) {
          reader.accept(
              JsonString.decode(b, key + 1, keyEnd - 1),
              () -> JsonString.decode(b, value + 1, end - 1));
        }
      } else if (b[value] != 'n') {
        copy(key, keyEnd);
        payload.colon().string(b, value, end);
      }
      i = next(end, '}');
    }
    payload.endObject();
  }

  /** Copies a string that was scanned, with its escapes. */
  private void copy(int from, int to) {
    json.reset();
    json.string(b, from + 1);
    if (json.notUtf8At() < 0) {
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

  // The methods below step through members and elements. A position is that of their first byte, or
  // ~ of the end after the last one.

  private int first(int open, char close) {
    int i = json.space(b, open + 1);
    return b[i] == close ? ~(i + 1) : i;
  }

  private int next(int end, char close) {
    int i = json.space(b, end);
    if (b[i] == ',') {
      return json.space(b, i + 1);
    }
    if (b[i] != close) {
      throw broken(i, "a comma or " + close);
    }
    return ~(i + 1);
  }

  /** Reads a key, and returns the position of its value. */
  private int value(int key) {
    keyFrom = expect('"', key) + 1;
    json.clearEscaped();
    int end = checked(json.string(b, keyFrom));
    keyTo = end - 1;
    return checked(json.colon(b, end));
  }

  /** Returns whether the key that was read last is this one. */
  private boolean isKey(String name) {
    return keyTo - keyFrom <= KEY_BYTES_MAX && JsonString.decode(b, keyFrom, keyTo).equals(name);
  }

  private int skip(int value) {
    return checked(json.value(b, value));
  }

  private int checked(int at) {
    if (at < 0) {
      throw broken(json.failedAt(), json.expected());
    }
    return at;
  }

  private int expect(char c, int at) {
    if (b[at] != c) {
      throw broken(at, String.valueOf(c));
    }
    return at;
  }

  private static PushRefused broken(int at, String expected) {
    return new PushRefused(400, "body: not a push in JSON at byte " + at + ": want " + expected);
  }
}
