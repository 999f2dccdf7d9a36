package hourglass.ingest.syslog;

import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import java.time.ZoneId;

/**
 * Reads the headers of messages, as RFC 5424 and RFC 3164 define them and as real senders write
 * them. Not thread-safe.
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
final class HeaderReader {
  /** The longest word of a header. Longer ones are text. */
  private static final int WORD_BYTES_MAX = 255;

  private static final int PRIORITY_MAX = 191;
  private static final int NONE = -1;

  private final BareTags bareTags;
  private final MessageTimes times;
  private final MessageParts parts;

  // These describe the current message.
  private byte[] b = {};
  private int to;

  /**
   * Creates a reader.
   *
   * @param bareTags shared by the readers of all threads
   * @param parts receives the parts of each message
   */
  HeaderReader(ZoneId zone, BareTags bareTags, MessageParts parts) {
    this.bareTags = bareTags;
    this.times = new MessageTimes(zone);
    this.parts = parts;
  }

  /** Sets the time of receipt of the next messages. */
  void now(long nowTicks) {
    times.now(nowTicks);
  }

  /** Reads the header of the message {@code [from, to)} into the parts. */
  void read(byte[] bytes, int from, int messageTo) {
    b = bytes;
    to = messageTo;
    parts.clear();
    int start = Utf8.afterMark(b, from, to);
    int at = priority(start);
    parts.messageFrom = at;
    if (parts.priority == MessageParts.NONE) {
      return;
    }
    at = Utf8.afterMark(b, at, to);
    parts.messageFrom = at;
    boolean isVersioned = at + 1 < to && b[at] == '1' && b[at + 1] == ' ';
    if (!isVersioned || !readHeader(at + 2)) {
      readTraditional(at);
    }
    parts.messageFrom = Utf8.afterMark(b, parts.messageFrom, to);
  }

  /** Reads {@code <165>}, and returns its end. */
  private int priority(int from) {
    parts.priority = MessageParts.NONE;
    int value = 0;
    int at = from + 1;
    while (at < to && at < from + 4 && b[at] >= '0' && b[at] <= '9') {
      value = value * 10 + b[at++] - '0';
    }
    if (b[from] != '<' || at == from + 1 || at >= to || b[at] != '>' || value > PRIORITY_MAX) {
      return from;
    }
    parts.priority = value;
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
      parts.ticks = times.iso(b, from, timeEnd);
      if (parts.ticks == Rfc3339.NOT_A_TIME) {
        return false;
      }
    }
    set(parts.host, timeEnd + 1, hostEnd);
    set(parts.type, hostEnd + 1, typeEnd);
    set(parts.pid, typeEnd + 1, pidEnd);
    set(parts.msgid, pidEnd + 1, msgidEnd);
    readStructured(Math.min(msgidEnd + 1, to));
    return true;
  }

  private void readStructured(int from) {
    parts.structuredFrom = from;
    parts.messageFrom = from;
    int end = from < to && b[from] == '-' ? from + 1 : parts.structured.read(b, from, to);
    boolean isRead = end > from && (end == to || b[end] == ' ');
    if (isRead) {
      parts.hasStructured = b[from] == '[';
      parts.messageFrom = Math.min(end + 1, to);
    }
  }

  private void set(MessageParts.Span span, int from, int end) {
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
    parts.messageFrom = from;
    int at = time(from);
    if (parts.ticks == Rfc3339.NOT_A_TIME) {
      readTag(from);
      return;
    }
    boolean isOfDevice = at < to && b[at] == ':'; // which leaves its name out
    at = Math.min(isOfDevice ? at + 2 : at + 1, to);
    parts.messageFrom = at;
    if (readTag(at) || isOfDevice) {
      return;
    }
    int hostEnd = word(at);
    if (hostEnd > 0) {
      parts.host.set(at, hostEnd);
      parts.messageFrom = hostEnd + 1;
      boolean isColon = hostEnd + 2 < to && b[hostEnd + 1] == ':' && b[hostEnd + 2] == ' ';
      if (!readTag(isColon ? hostEnd + 3 : hostEnd + 1)) { // firewalls write host : tag:
        readBareTag(hostEnd + 1);
      }
    }
  }

  private void readBareTag(int from) {
    int end = bareTags.end(b, parts.host.from, parts.host.to, from, to);
    if (end > from) {
      parts.type.set(from, end);
      parts.messageFrom = end + 1;
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
      parts.ticks = end < 0 ? Rfc3339.NOT_A_TIME : times.iso(b, from, end);
      if (parts.ticks != Rfc3339.NOT_A_TIME) {
        return end;
      }
      boolean isNumbered = digits + 1 < to && b[digits] == ':' && b[digits + 1] == ' ';
      at = isNumbered ? digits + 2 : at; // Cisco numbers its messages
    }
    if (at < to && (b[at] == '*' || b[at] == '.')) {
      at++; // and marks clocks that are not set
    }
    parts.ticks = times.named(b, at, to);
    int end = parts.ticks == Rfc3339.NOT_A_TIME ? from : times.end();
    if (end > from && end < to && b[end] != ' ' && b[end] != ':') {
      parts.ticks = Rfc3339.NOT_A_TIME;
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
    parts.type.set(from, end);
    parts.pid.set(pidFrom, pidTo);
    parts.messageFrom = Math.min(at + 1, to);
    return true;
  }
}
