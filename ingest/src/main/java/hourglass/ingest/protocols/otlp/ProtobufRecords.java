package hourglass.ingest.protocols.otlp;

import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.protocols.otlp.MessageSchema.Field;
import hourglass.ingest.protocols.otlp.MessageSchema.Kind;
import hourglass.ingest.protocols.protobuf.ProtobufReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads records in the encoding of protocol buffers. A text or message is a range of the body. */
final class ProtobufRecords extends Records {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  // These are the fields of KeyValue.
  private static final int KEY = 1;
  private static final int KEY_VALUE = 2;

  // These are the fields of AnyValue, a oneof: the last one counts.
  private static final int STRING = 1;
  private static final int BOOL = 2;
  private static final int INT = 3;
  private static final int DOUBLE = 4;
  private static final int ARRAY = 5;
  private static final int KVLIST = 6;
  private static final int BYTES = 7;

  /** The only field of ArrayValue and of KeyValueList. */
  private static final int VALUES = 1;

  private final byte[] b;
  private final int bodyFrom;
  private final int bodyTo;
  private final ProtobufReader in;
  private byte[] hex = new byte[32];

  /** The text of the attribute that is searched for in the current message; or null. */
  private @Nullable String watched;

  /** Reads the request in {@code [from, to)}. */
  ProtobufRecords(Signal signal, byte[] b, int from, int to, ConvertedEvents events) {
    super(signal, events);
    this.b = b;
    this.bodyFrom = from;
    this.bodyTo = to;
    this.in = new ProtobufReader(b);
  }

  @Override
  void addEvents() {
    in.each(bodyFrom, bodyTo, Signal.RESOURCES, this::resource);
  }

  /** Reads a resource. It may stand after its records, as a scope may, so it is found first. */
  private void resource(int from, int to) {
    noResource();
    if (findLast(ofResource, from, to, Signal.RESOURCE)) {
      takeResource();
    }
    in.each(from, to, Signal.SCOPES, this::scope);
  }

  private void scope(int from, int to) {
    noScope();
    if (findLast(ofScope, from, to, Signal.SCOPE)) {
      takeScope();
    }
    in.each(from, to, Signal.RECORDS, this::record);
  }

  private void record(int from, int to) {
    find(ofRecord, from, to);
    takeRecord();
  }

  private boolean isRange(int field) {
    return in.field() == field && in.isRange();
  }

  /** Finds the fields of a message in a message; the last one counts. */
  private boolean findLast(MessageFields found, int from, int to, int field) {
    int lastFrom = -1;
    int lastTo = -1;
    in.enter(from, to);
    while (in.next()) {
      if (isRange(field)) {
        lastFrom = in.from();
        lastTo = in.to();
      }
    }
    if (lastFrom < 0) {
      return false;
    }
    find(found, lastFrom, lastTo);
    return true;
  }

  private void find(MessageFields found, int from, int to) {
    found.clear(from, to);
    in.enter(from, to);
    while (in.next()) {
      int slot = found.schema.slot(in.field());
      if (slot != Field.NONE) {
        take(found, slot, found.schema.fields.get(slot).kind);
      }
    }
  }

  /** Reads a field. One in another wire type than its own is an unknown field. */
  private void take(MessageFields found, int slot, Kind kind) {
    if (kind.isNumber() || !in.isRange()) {
      if (kind.isNumber() && !in.isRange()) {
        found.number(slot, in.number());
      }
      return;
    }
    int from = in.from();
    int to = in.to();
    boolean isPresent =
        switch (kind) {
          case TEXT, SEVERITY -> from < to;
          case ID -> !isZeros(from, to);
          default -> true;
        };
    if (kind == Kind.MESSAGE) {
      MessageFields child = found.child(slot);
      in.nested((at, end) -> find(child, at, end));
      isPresent = !child.isEmpty();
    }
    found.range(slot, from, to, isPresent);
  }

  /** Returns whether an id consists of zeros, which means no id. */
  private boolean isZeros(int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  void text(int from, int to) {
    out.string(b, from, to);
  }

  @Override
  void id(int from, int to) {
    int digits = writeHex(from, to);
    out.string(hex, 0, digits);
  }

  @Override
  String idText(int from, int to) {
    int digits = writeHex(from, to);
    return new String(hex, 0, digits, StandardCharsets.US_ASCII);
  }

  private int writeHex(int from, int to) {
    int digits = 2 * (to - from);
    if (digits > hex.length) {
      hex = new byte[digits];
    }
    for (int i = from, digit = 0; i < to; i++, digit += 2) {
      hex[digit] = HEX[b[i] >> 4 & 15];
      hex[digit + 1] = HEX[b[i] & 15];
    }
    return digits;
  }

  @Override
  @Nullable String attributes(MessageFields found, int slot, int level, byte @Nullable [] watch) {
    int number = found.schema.fields.get(slot).number;
    watched = null;
    pairs(found.messageFrom, found.messageTo, number, level, watch);
    return watched;
  }

  /** Writes the pairs in a repeated field of a message. */
  private void pairs(int from, int to, int field, int level, byte @Nullable [] watch) {
    RecordRefused.ifDeeper(level, levelsMax);
    out.beginObject();
    in.each(from, to, field, (at, end) -> pair(at, end, level, watch));
    out.endObject();
  }

  private void pair(int from, int to, int level, byte @Nullable [] watch) {
    int keyFrom = from;
    int keyTo = from;
    int valueFrom = from;
    int valueTo = from;
    in.enter(from, to);
    while (in.next()) {
      if (isRange(KEY)) {
        keyFrom = in.from();
        keyTo = in.to();
      } else if (isRange(KEY_VALUE)) {
        valueFrom = in.from();
        valueTo = in.to();
      }
    }
    out.key(b, keyFrom, keyTo);
    if (watch != null
        && keyTo - keyFrom == watch.length
        && Arrays.equals(watch, 0, watch.length, b, keyFrom, keyTo)) {
      watched = string(valueFrom, valueTo);
    }
    value(valueFrom, valueTo, level);
  }

  /** Returns the text of a value; null for a value of another kind. */
  private @Nullable String string(int from, int to) {
    String text = null;
    in.enter(from, to);
    while (in.next()) {
      if (in.field() >= STRING && in.field() <= BYTES) {
        text =
            isRange(STRING)
                ? new String(b, in.from(), in.to() - in.from(), StandardCharsets.UTF_8)
                : null;
      }
    }
    return text;
  }

  @Override
  void value(int from, int to, int level) {
    int kind = 0;
    int rangeFrom = 0;
    int rangeTo = 0;
    long number = 0;
    in.enter(from, to);
    while (in.next()) {
      if (isValue(in.field())) {
        kind = in.field();
        number = in.number();
        rangeFrom = in.from();
        rangeTo = in.to();
      }
    }
    switch (kind) {
      case STRING -> out.string(b, rangeFrom, rangeTo);
      case BOOL -> out.bool(number != 0);
      case INT -> out.number(number);
      case DOUBLE -> out.number(Double.longBitsToDouble(number));
      case ARRAY -> array(rangeFrom, rangeTo, level + 1);
      case KVLIST -> pairs(rangeFrom, rangeTo, VALUES, level + 1, null);
      case BYTES -> out.base64(b, rangeFrom, rangeTo);
      default -> out.nothing();
    }
  }

  private boolean isValue(int field) {
    return switch (field) {
      case STRING, ARRAY, KVLIST, BYTES -> in.isRange();
      case BOOL, INT -> in.isVarint();
      case DOUBLE -> in.isFixed64();
      default -> false;
    };
  }

  private void array(int from, int to, int level) {
    RecordRefused.ifDeeper(level, levelsMax);
    out.beginArray();
    in.each(from, to, VALUES, (at, end) -> value(at, end, level));
    out.endArray();
  }

  @Override
  void messages(MessageFields found, int slot, int level) {
    int number = found.schema.fields.get(slot).number;
    MessageFields each = found.child(slot);
    RecordRefused.ifDeeper(level, levelsMax);
    out.beginArray();
    in.each(
        found.messageFrom,
        found.messageTo,
        number,
        (from, to) -> {
          find(each, from, to);
          message(each, level + 1);
        });
    out.endArray();
  }
}
