package hourglass.ingest.syslog;

import hourglass.bytes.JsonWriter;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import hourglass.ingest.decode.ConvertedEvents;
import java.time.ZoneId;

/**
 * Turns messages into events, as RFC 5424 and RFC 3164 define them and as real senders write them.
 * Not thread-safe.
 *
 * <pre>
 * &lt;165&gt;1 2026-11-21T09:00:01.003Z host1 app 123 ID47 [ex@32473 iut="3"] hello
 * &lt;165&gt;Nov 21 09:00:01 host1 app[123]: hello
 * &lt;165&gt;Nov 21 09:00:01 host1 app hello
 * &lt;165&gt;app: hello
 * </pre>
 *
 * <p>Text that follows no form becomes the whole message, so none of it is lost.
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

  /** The longest word of a header. Longer ones are text. */
  private static final int WORD_BYTES_MAX = 255;

  private static final int PRIORITY_MAX = 191;

  /** The most bytes that a byte of a text becomes in JSON. */
  private static final int ESCAPED_BYTES_MAX = 6;

  private static final int FIELDS_BYTES_MAX = 200;

  private static final int NONE = -1;

  private final int eventBytesMax;
  private final BareTags bareTags;
  private final MessageTimes times;
  private final StructuredData structured = new StructuredData();
  private final TypeNames types = new TypeNames();

  // These are the parts of the current message; those that are absent are empty.
  private byte[] b = {};
  private int to;
  private int priority;
  private long ticks;
  private final Span host = new Span();
  private final Span type = new Span();
  private final Span pid = new Span();
  private final Span msgid = new Span();
  private boolean hasStructured;
  private int messageFrom;

  /** The begin of the structured data. If it is too large, the text of the message begins here. */
  private int structuredFrom;

  private static final class Span {
    private int from;
    private int to;

    private void set(int begin, int end) {
      from = begin;
      to = end;
    }

    private boolean isEmpty() {
      return from == to;
    }
  }

  /**
   * Creates a parser that cuts messages whose events are larger than {@code eventBytesMax}.
   *
   * @param bareTags shared by the parsers of all threads
   */
  MessageParser(ZoneId zone, int eventBytesMax, BareTags bareTags) {
    this.eventBytesMax = eventBytesMax;
    this.bareTags = bareTags;
    this.times = new MessageTimes(zone);
  }

  /** Sets the time of receipt of the next messages. */
  void now(long nowTicks) {
    times.now(nowTicks);
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
    read(from);
    boolean truncated = isCut;
    if ((long) ESCAPED_BYTES_MAX * (to - from) + FIELDS_BYTES_MAX <= eventBytesMax) {
      write(events.payload(), to, truncated);
    } else {
      truncated = writeWithin(events, truncated);
    }
    events.add(type.isEmpty() ? null : types.get(b, type.from, type.to), ticks, null);
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

  private void read(int from) {
    ticks = Rfc3339.NOT_A_TIME;
    host.set(0, 0);
    type.set(0, 0);
    pid.set(0, 0);
    msgid.set(0, 0);
    hasStructured = false;
    int start = Utf8.afterMark(b, from, to);
    int at = priority(start);
    messageFrom = at;
    if (priority == NONE) {
      return;
    }
    at = Utf8.afterMark(b, at, to);
    messageFrom = at;
    boolean isVersioned = at + 1 < to && b[at] == '1' && b[at + 1] == ' ';
    if (!isVersioned || !readHeader(at + 2)) {
      readTraditional(at);
    }
    messageFrom = Utf8.afterMark(b, messageFrom, to);
  }

  /** Reads {@code <165>}, and returns its end. */
  private int priority(int from) {
    priority = NONE;
    int value = 0;
    int at = from + 1;
    while (at < to && at < from + 4 && b[at] >= '0' && b[at] <= '9') {
      value = value * 10 + b[at++] - '0';
    }
    if (b[from] != '<' || at == from + 1 || at >= to || b[at] != '>' || value > PRIORITY_MAX) {
      return from;
    }
    priority = value;
    return at + 1;
  }

  /** Reads a message of RFC 5424 from its time on. Returns false if it is none. */
  private boolean readHeader(int from) {
    int timeEnd = word(from);
    int hostEnd = timeEnd < 0 ? NONE : word(timeEnd + 1);
    int typeEnd = hostEnd < 0 ? NONE : word(hostEnd + 1);
    int pidEnd = typeEnd < 0 ? NONE : word(typeEnd + 1);
    int msgidEnd = pidEnd < 0 ? NONE : lastWord(pidEnd + 1);
    if (msgidEnd < 0) {
      return false;
    }
    if (!isNil(from, timeEnd)) {
      ticks = times.iso(b, from, timeEnd);
      if (ticks == Rfc3339.NOT_A_TIME) {
        return false;
      }
    }
    set(host, timeEnd + 1, hostEnd);
    set(type, hostEnd + 1, typeEnd);
    set(pid, typeEnd + 1, pidEnd);
    set(msgid, pidEnd + 1, msgidEnd);
    readStructured(Math.min(msgidEnd + 1, to));
    return true;
  }

  private void readStructured(int from) {
    structuredFrom = from;
    messageFrom = from;
    int end = from < to && b[from] == '-' ? from + 1 : structured.read(b, from, to);
    boolean isRead = end > from && (end == to || b[end] == ' ');
    if (isRead) {
      hasStructured = b[from] == '[';
      messageFrom = Math.min(end + 1, to);
    }
  }

  private void set(Span span, int from, int end) {
    if (!isNil(from, end)) {
      span.set(from, end);
    }
  }

  private boolean isNil(int from, int end) {
    return end - from == 1 && b[from] == '-';
  }

  /** Returns the end of a word that a space follows; below 0 if there is none. */
  private int word(int from) {
    int at = lastWord(from);
    return at < to ? at : NONE;
  }

  /**
   * Returns the end of a word that a space or the end of the message follows; below 0 if there is
   * none.
   */
  private int lastWord(int from) {
    int last = Math.min(to, from + WORD_BYTES_MAX + 1);
    int at = from;
    while (at < last && b[at] != ' ') {
      at++;
    }
    return at == from || at - from > WORD_BYTES_MAX ? NONE : at;
  }

  /** Reads a message of RFC 3164, of which any part may be missing. */
  private void readTraditional(int from) {
    messageFrom = from;
    int at = time(from);
    if (ticks == Rfc3339.NOT_A_TIME) {
      readTag(from);
      return;
    }
    boolean isOfDevice = at < to && b[at] == ':'; // which leaves its name out
    at = Math.min(isOfDevice ? at + 2 : at + 1, to);
    messageFrom = at;
    if (readTag(at) || isOfDevice) {
      return;
    }
    int hostEnd = word(at);
    if (hostEnd > 0) {
      host.set(at, hostEnd);
      messageFrom = hostEnd + 1;
      boolean isColon = hostEnd + 2 < to && b[hostEnd + 1] == ':' && b[hostEnd + 2] == ' ';
      if (!readTag(isColon ? hostEnd + 3 : hostEnd + 1)) { // firewalls write host : tag:
        readBareTag(hostEnd + 1);
      }
    }
  }

  private void readBareTag(int from) {
    int end = bareTags.end(b, host.from, host.to, from, to);
    if (end > from) {
      type.set(from, end);
      messageFrom = end + 1;
    }
  }

  /** Reads the time, and returns its end. */
  private int time(int from) {
    int at = from;
    int digits = from;
    while (digits < to && b[digits] >= '0' && b[digits] <= '9') {
      digits++;
    }
    if (digits > from) {
      int end = lastWord(from);
      ticks = end < 0 ? Rfc3339.NOT_A_TIME : times.iso(b, from, end);
      if (ticks != Rfc3339.NOT_A_TIME) {
        return end;
      }
      boolean isNumbered = digits + 1 < to && b[digits] == ':' && b[digits + 1] == ' ';
      at = isNumbered ? digits + 2 : at; // Cisco numbers its messages
    }
    if (at < to && (b[at] == '*' || b[at] == '.')) {
      at++; // and marks clocks that are not set
    }
    ticks = times.named(b, at, to);
    int end = ticks == Rfc3339.NOT_A_TIME ? from : times.end();
    if (end > from && end < to && b[end] != ' ' && b[end] != ':') {
      ticks = Rfc3339.NOT_A_TIME;
    }
    return end;
  }

  /**
   * Reads {@code app: }, {@code app[123]: } or {@code app[123] }. Returns false if there is none.
   */
  private boolean readTag(int from) {
    int last = Math.min(to, from + WORD_BYTES_MAX);
    int at = from;
    boolean hasLetter = false;
    while (at < last && b[at] > ' ' && b[at] != ':' && b[at] != '[') {
      hasLetter |= (b[at] | 0x20) >= 'a' && (b[at] | 0x20) <= 'z';
      at++;
    }
    if (!hasLetter || at == last || b[at] <= ' ') {
      return false;
    }
    int end = at;
    int pidFrom = at;
    int pidTo = at;
    if (b[at] == '[') {
      pidFrom = at + 1;
      pidTo = pidFrom;
      while (pidTo < last && b[pidTo] > ' ' && b[pidTo] != ']') {
        pidTo++;
      }
      boolean isCut = pidTo - from == BareTags.TAG_BYTES_MAX && pidTo < to && b[pidTo] == ' ';
      if (!isCut && (pidTo == last || b[pidTo] != ']')) {
        return false;
      }
      at = isCut ? pidTo : pidTo + 1; // rsyslog cuts a long tag, and its number is not known then
      pidTo = isCut ? pidFrom : pidTo;
    }
    if (at < to && b[at] == ':') {
      at++;
    }
    if (at < to && b[at] != ' ') {
      return false;
    }
    type.set(from, end);
    pid.set(pidFrom, pidTo);
    messageFrom = Math.min(at + 1, to);
    return true;
  }

  private void write(JsonWriter json, int messageTo, boolean truncated) {
    json.beginObject().key(MESSAGE).string(b, messageFrom, messageTo);
    if (priority != NONE) {
      byte[] severity = Priorities.severity(priority);
      byte[] facility = Priorities.facility(priority);
      json.key(SEVERITY).raw(severity, 0, severity.length);
      json.key(FACILITY).raw(facility, 0, facility.length);
    }
    write(json, HOSTNAME, host);
    write(json, PID, pid);
    write(json, MSGID, msgid);
    if (hasStructured) {
      structured.write(b, json.key(STRUCTURED));
    }
    if (truncated) {
      json.key(TRUNCATED).bool(true);
    }
    json.endObject();
  }

  private void write(JsonWriter json, JsonWriter.Key key, Span span) {
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
    int fixed = size(events, messageFrom, true);
    if (hasStructured && fixed > eventBytesMax / 2) {
      hasStructured = false;
      messageFrom = structuredFrom;
      fixed = size(events, messageFrom, true);
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
    int at = messageFrom;
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
    return at == messageFrom ? at : wholeCharacters(messageFrom, at);
  }
}
