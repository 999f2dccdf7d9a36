package hourglass.ingest.protocols.otlp;

import hourglass.bytes.JsonWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a message of which events are made, in the order of the payload; a slot is a place
 * in that order. The numbers and names are those of <a
 * href="https://github.com/open-telemetry/opentelemetry-proto">opentelemetry-proto</a> 1.x.
 * Immutable.
 */
final class MessageSchema {
  static final MessageSchema RESOURCE = of(attributes(1));

  static final MessageSchema SCOPE = of(text(1, "name"), text(2, "version"), attributes(3));

  static final MessageSchema LOG =
      of(
          new Field(5, Kind.VALUE, "body", "body"),
          new Field(3, Kind.SEVERITY, "severityText", "severity"),
          new Field(2, Kind.NUMBER, "severityNumber", "severity_number"),
          text(12, "eventName"),
          id(9, "traceId"),
          id(10, "spanId"),
          attributes(6),
          number(1, "timeUnixNano"),
          number(11, "observedTimeUnixNano"));

  static final int BODY = 0;
  static final int SEVERITY_NUMBER = 2;
  static final int LOG_TIME = 7;
  static final int LOG_OBSERVED = 8;

  static final MessageSchema SPAN =
      of(
          text(5, "name"),
          new Field(6, Kind.SPAN_KIND, "kind", "kind"),
          id(1, "traceId"),
          id(2, "spanId"),
          id(4, "parentSpanId"),
          text(3, "traceState"),
          new Field(Field.NONE, Kind.NUMBER, "", "duration_ns"),
          new Field(
              15,
              Kind.MESSAGE,
              "status",
              "status",
              of(new Field(3, Kind.STATUS_CODE, "code", "code"), text(2, "message"))),
          attributes(9),
          new Field(
              11,
              Kind.MESSAGES,
              "events",
              "events",
              of(new Field(1, Kind.TIME, "timeUnixNano", "time"), text(2, "name"), attributes(3))),
          new Field(
              13,
              Kind.MESSAGES,
              "links",
              "links",
              of(id(1, "traceId"), id(2, "spanId"), text(3, "traceState"), attributes(4))),
          number(7, "startTimeUnixNano"),
          number(8, "endTimeUnixNano"));

  static final int SPAN_TRACE = 2;
  static final int SPAN_ID = 3;
  static final int SPAN_DURATION = 6;
  static final int SPAN_START = 11;
  static final int SPAN_END = 12;

  /** The kind of a field's value, which decides how it is written. */
  enum Kind {
    TEXT,
    /** A text; without one, the name of the number in the next slot. */
    SEVERITY,
    /** Bytes, which are hexadecimal digits in JSON. */
    ID,
    NUMBER,
    /** Nanoseconds since 1970. */
    TIME,
    SPAN_KIND,
    STATUS_CODE,
    /** An AnyValue. */
    VALUE,
    /** Repeated KeyValue. */
    ATTRIBUTES,
    MESSAGE,
    /** A repeated message. */
    MESSAGES;

    boolean isNumber() {
      return this == NUMBER || this == TIME || this == SPAN_KIND || this == STATUS_CODE;
    }

    boolean isRepeated() {
      return this == ATTRIBUTES || this == MESSAGES;
    }

    /** Returns the first character of a value in JSON. Numbers may be strings too. */
    char opening() {
      return switch (this) {
        case VALUE, MESSAGE -> '{';
        case ATTRIBUTES, MESSAGES -> '[';
        default -> '"';
      };
    }
  }

  /** One field. */
  static final class Field {
    static final int NONE = -1;

    final int number;
    final Kind kind;
    final JsonFieldName name;

    /** The key in the payload; null if the field is no part of it. */
    final JsonWriter.@Nullable Key out;

    /** The schema of messages in the field; null for other kinds. */
    final @Nullable MessageSchema schema;

    private Field(int number, Kind kind, String camel, @Nullable String out) {
      this(number, kind, camel, out, null);
    }

    private Field(
        int number, Kind kind, String camel, @Nullable String out, @Nullable MessageSchema schema) {
      this.number = number;
      this.kind = kind;
      this.name = JsonFieldName.of(camel);
      this.out = out == null ? null : JsonWriter.Key.of(out);
      this.schema = schema;
    }
  }

  private static final int NUMBERS = 16;

  final List<Field> fields;
  private final int[] slots = new int[NUMBERS];

  private MessageSchema(List<Field> fields) {
    this.fields = fields;
    Arrays.fill(slots, Field.NONE);
    for (int slot = 0; slot < fields.size(); slot++) {
      int number = fields.get(slot).number;
      if (number != Field.NONE) {
        slots[number] = slot;
      }
    }
  }

  private static MessageSchema of(Field... fields) {
    return new MessageSchema(List.of(fields));
  }

  private static Field text(int number, String camel) {
    return new Field(number, Kind.TEXT, camel, JsonFieldName.snake(camel));
  }

  private static Field id(int number, String camel) {
    return new Field(number, Kind.ID, camel, JsonFieldName.snake(camel));
  }

  private static Field attributes(int number) {
    return new Field(number, Kind.ATTRIBUTES, "attributes", "attributes");
  }

  /** Returns a field that is no part of the payload. */
  private static Field number(int number, String camel) {
    return new Field(number, Kind.NUMBER, camel, null);
  }

  /** Returns the slot of a field; {@link Field#NONE} if it is not used. */
  int slot(int number) {
    return number < NUMBERS ? slots[number] : Field.NONE;
  }
}
