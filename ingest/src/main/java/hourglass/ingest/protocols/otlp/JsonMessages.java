package hourglass.ingest.protocols.otlp;

import hourglass.bytes.JsonNumber;
import hourglass.bytes.JsonReader;
import hourglass.ingest.protocols.otlp.MessageSchema.Field;
import hourglass.ingest.protocols.otlp.MessageSchema.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields of messages in JSON. A 64-bit integer is a number or a string, and members that
 * are no fields are ignored. Not thread-safe.
 *
 * <p>The position of a text is after its opening quote; that of other values is their first byte.
 */
final class JsonMessages {
  /** The longest number that is not plain digits. A longer one is no number. */
  private static final int NUMBER_CHARS_MAX = 64;

  /** The most digits that cannot overflow 64 bits without a sign. Times have so many. */
  private static final int PLAIN_DIGITS_MAX = 19;

  private final byte[] b;
  private final JsonReader json;

  /** Creates a finder in an array, which the reader steps through. */
  JsonMessages(byte[] b, JsonReader json) {
    this.b = b;
    this.json = json;
  }

  /** Finds the fields as {@link #find} does, and checks that the message is UTF-8. */
  int findUtf8(MessageFields found, int start) {
    json.reset();
    int end = find(found, start);
    if (!json.isUtf8()) {
      found.problem = "not UTF-8";
    }
    return end;
  }

  /** Finds the fields of a message, or of null, and returns its end. */
  int find(MessageFields found, int start) {
    found.clear(start, start);
    if (b[start] != '{') {
      found.problem = b[start] == 'n' ? null : "not an object";
      return json.skip(start);
    }
    return json.members(
        start,
        value -> {
          int slot = slot(found);
          return slot == Field.NONE ? json.skip(value) : take(found, slot, value);
        });
  }

  /**
   * Returns the slot of the field that was named last. A sender writes all messages in one order,
   * so the likely slot is tried first.
   */
  private int slot(MessageFields found) {
    int likely = found.likely();
    if (found.schema.fields.get(likely).name.isRead(json)) {
      found.passed(likely);
      return likely;
    }
    for (int slot = 0; slot < found.schema.fields.size(); slot++) {
      if (found.schema.fields.get(slot).name.isRead(json)) {
        found.passed(slot);
        return slot;
      }
    }
    return Field.NONE;
  }

  private int take(MessageFields found, int slot, int at) {
    Field field = found.schema.fields.get(slot);
    boolean isRight = b[at] == field.kind.opening() || field.kind.isNumber();
    if (b[at] == 'n' || !isRight) {
      if (b[at] != 'n') {
        found.problem = problem(field);
      }
      found.range(slot, at, at, false);
      return json.skip(at);
    }
    if (field.kind == Kind.MESSAGE) {
      MessageFields child = found.child(slot);
      int end = find(child, at);
      found.range(slot, at, end, !child.isEmpty() || child.problem != null);
      return end;
    }
    int end = json.skip(at);
    switch (field.kind) {
      case TEXT, SEVERITY -> found.range(slot, at + 1, end - 1, at + 2 < end);
      case ID -> found.range(slot, at + 1, end - 1, !isZeros(at + 1, end - 1));
      case ATTRIBUTES, MESSAGES ->
          found.range(slot, at, end, !json.closes(json.open(at, '['), ']'));
      case VALUE, MESSAGE -> found.range(slot, at, end, true);
      case NUMBER, TIME, SPAN_KIND, STATUS_CODE -> number(found, slot, field, at, end);
    }
    return end;
  }

  private static String problem(Field field) {
    return field.name + ": of another kind than its field";
  }

  private boolean isZeros(int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] != '0') {
        return false;
      }
    }
    return true;
  }

  /** Reads a number or a string of one, with or without a sign. */
  private void number(MessageFields found, int slot, Field field, int at, int end) {
    int from = b[at] == '"' ? at + 1 : at;
    int to = b[at] == '"' ? end - 1 : end;
    long number = 0;
    boolean isPlain = to - from <= PLAIN_DIGITS_MAX && from < to;
    for (int i = from; i < to && isPlain; i++) {
      isPlain = b[i] >= '0' && b[i] <= '9';
      number = 10 * number + b[i] - '0';
    }
    if (isPlain) {
      found.number(slot, number);
      return;
    }
    BigInteger whole =
        json.isNumber(from, to) && to - from <= NUMBER_CHARS_MAX ? whole(from, to) : null;
    if (whole == null) {
      found.problem = problem(field);
    } else {
      found.number(slot, whole.longValue());
    }
  }

  /** Returns a whole number of 64 bits, with or without a sign; null for any other number. */
  private @Nullable BigInteger whole(int from, int to) {
    try {
      BigDecimal number = new BigDecimal(JsonNumber.text(b, from, to));
      if (Math.abs((long) number.scale()) > NUMBER_CHARS_MAX) {
        return null;
      }
      BigInteger whole = number.toBigIntegerExact();
      int bitsMax = whole.signum() < 0 ? Long.SIZE - 1 : Long.SIZE;
      return whole.bitLength() <= bitsMax ? whole : null;
    } catch (ArithmeticException | NumberFormatException e) { // also of an exponent of many digits
      return null;
    }
  }
}
