package hourglass.ingest.syslog;

import hourglass.bytes.JsonWriter;
import hourglass.ingest.decode.ConvertedEvents;
import java.time.ZoneId;

/**
 * Turns messages into events, whose fields are the parts of their headers. Messages that are too
 * large are cut. Not thread-safe.
 */
final class MessageParser {
  static final String DEFAULT_TYPE = "syslog";

  private static final JsonWriter.Key MESSAGE = JsonWriter.Key.of("message");
  private static final JsonWriter.Key SEVERITY = JsonWriter.Key.of("severity");
  private static final JsonWriter.Key FACILITY = JsonWriter.Key.of("facility");
  private static final JsonWriter.Key HOSTNAME = JsonWriter.Key.of("hostname");
  private static final JsonWriter.Key PID = JsonWriter.Key.of("pid");
  private static final JsonWriter.Key MSGID = JsonWriter.Key.of("msgid");
  private static final JsonWriter.Key STRUCTURED = JsonWriter.Key.of("structured");
  private static final JsonWriter.Key TRUNCATED = JsonWriter.Key.of("truncated");

  /** The most bytes that a byte of a text becomes in JSON. */
  private static final int ESCAPED_BYTES_MAX = 6;

  private static final int FIELDS_BYTES_MAX = 200;

  private final int eventBytesMax;
  private final HeaderReader header;
  private final TypeNames types = new TypeNames();
  private final MessageParts parts = new MessageParts();
  private byte[] b = {};
  private int to;

  /**
   * Creates a parser that cuts messages whose events are larger than {@code eventBytesMax}.
   *
   * @param bareTags shared by the parsers of all threads
   */
  MessageParser(ZoneId zone, int eventBytesMax, BareTags bareTags) {
    this.eventBytesMax = eventBytesMax;
    this.header = new HeaderReader(zone, bareTags, parts);
  }

  /** Sets the time of receipt of the next messages. */
  void now(long nowTicks) {
    header.now(nowTicks);
  }

  /**
   * Adds the event of the message {@code [from, to)}, and returns whether it is cut. An empty
   * message becomes no event.
   *
   * @param isCut whether it is the beginning of a longer one
   */
  boolean parse(byte[] bytes, int from, int messageTo, boolean isCut, ConvertedEvents events) {
    b = bytes;
    to = isCut ? wholeCharacters(from, messageTo) : withoutEnd(from, messageTo);
    if (from >= to) {
      return false;
    }
    header.read(b, from, to);
    boolean truncated = isCut;
    if ((long) ESCAPED_BYTES_MAX * (to - from) + FIELDS_BYTES_MAX <= eventBytesMax) {
      write(events.payload(), to, truncated);
    } else {
      truncated = writeWithin(events, truncated);
    }
    events.add(
        parts.type.isEmpty() ? null : types.get(b, parts.type.from, parts.type.to),
        parts.ticks,
        null);
    return truncated;
  }

  private int withoutEnd(int from, int messageTo) {
    int end = messageTo;
    if (end > from && (b[end - 1] == '\n' || b[end - 1] == 0)) {
      end--;
    }
    return end > from && b[end - 1] == '\r' ? end - 1 : end;
  }

  /** Returns the end of the last character that is whole. */
  private int wholeCharacters(int from, int end) {
    int lead = end - 1;
    while (lead > from && end - lead < 4 && (b[lead] & 0xc0) == 0x80) {
      lead--;
    }
    int length = b[lead] >= 0 ? 1 : Integer.numberOfLeadingZeros(~b[lead] << 24);
    return lead >= from && length > end - lead ? lead : end;
  }

  private void write(JsonWriter json, int messageTo, boolean truncated) {
    json.beginObject().key(MESSAGE).string(b, parts.messageFrom, messageTo);
    if (parts.priority != MessageParts.NONE) {
      byte[] severity = Priorities.severity(parts.priority);
      byte[] facility = Priorities.facility(parts.priority);
      json.key(SEVERITY).raw(severity, 0, severity.length);
      json.key(FACILITY).raw(facility, 0, facility.length);
    }
    write(json, HOSTNAME, parts.host);
    write(json, PID, parts.pid);
    write(json, MSGID, parts.msgid);
    if (parts.hasStructured) {
      parts.structured.write(b, json.key(STRUCTURED));
    }
    if (truncated) {
      json.key(TRUNCATED).bool(true);
    }
    json.endObject();
  }

  private void write(JsonWriter json, JsonWriter.Key key, MessageParts.Span span) {
    if (!span.isEmpty()) {
      json.key(key).string(b, span.from, span.to);
    }
  }

  /** Writes as much of the message as fits. Returns whether a part does not. */
  private boolean writeWithin(ConvertedEvents events, boolean isCut) {
    if (size(events, to, isCut) <= eventBytesMax) {
      write(events.payload(), to, isCut);
      return isCut;
    }
    int fixed = size(events, parts.messageFrom, true);
    if (parts.hasStructured && fixed > eventBytesMax / 2) {
      parts.hasStructured = false;
      parts.messageFrom = parts.structuredFrom;
      fixed = size(events, parts.messageFrom, true);
    }
    write(events.payload(), fitting(eventBytesMax - fixed), true);
    return true;
  }

  /** Returns the bytes of the event with the message up to {@code messageTo}. */
  private int size(ConvertedEvents events, int messageTo, boolean truncated) {
    int before = events.bytes();
    write(events.payload(), messageTo, truncated);
    int size = events.bytes() - before;
    events.discard();
    return size;
  }

  /** Returns the end of the text that needs at most so many bytes in JSON. */
  private int fitting(int room) {
    int left = room;
    int at = parts.messageFrom;
    while (at < to) {
      byte c = b[at];
      // Bytes of a well-formed character need less, but all count for three, since the others
      // become U+FFFD.
      left -= c < 0 ? 3 : c < ' ' ? ESCAPED_BYTES_MAX : c == '"' || c == '\\' ? 2 : 1;
      if (left < 0) {
        break;
      }
      at++;
    }
    return at == parts.messageFrom ? at : wholeCharacters(parts.messageFrom, at);
  }
}
