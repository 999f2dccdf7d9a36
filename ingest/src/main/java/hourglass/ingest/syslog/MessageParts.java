package hourglass.ingest.syslog;

import hourglass.bytes.Rfc3339;

/** The parts of one message, as places in its bytes; those that are absent are empty. */
final class MessageParts {
  static final int NONE = -1;

  /** The number before the message, or {@link #NONE}. */
  int priority = NONE;

  long ticks = Rfc3339.NOT_A_TIME;
  final Span host = new Span();
  final Span type = new Span();
  final Span pid = new Span();
  final Span msgid = new Span();
  final StructuredData structured = new StructuredData();
  boolean hasStructured;
  int messageFrom;

  /** The begin of the structured data. If it is too large, the text of the message begins here. */
  int structuredFrom;

  /** The bytes {@code [from, to)}. */
  static final class Span {
    int from;
    int to;

    void set(int begin, int end) {
      from = begin;
      to = end;
    }

    boolean isEmpty() {
      return from == to;
    }
  }

  void clear() {
    priority = NONE;
    ticks = Rfc3339.NOT_A_TIME;
    host.set(0, 0);
    type.set(0, 0);
    pid.set(0, 0);
    msgid.set(0, 0);
    hasStructured = false;
  }
}
