package hourglass.ingest.protocols.otlp;

import hourglass.bytes.JsonReader;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.protocols.otlp.MessageSchema.Field;
import hourglass.ingest.protocols.otlp.MessageSchema.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads records in the JSON of OTLP. Names are in camel case or as in the schema, a 64-bit integer
 * is a number or a string, an id consists of hexadecimal digits, and other members are ignored. A
 * text is copied as it is, with its escapes.
 *
 * <p>The position of a text is after its opening quote; that of other values is their first byte.
 */
final class JsonRecords extends Records {
  private static final byte[] RESOURCE = MessageSchema.utf8("resource");
  private static final byte[] SCOPE = MessageSchema.utf8("scope");
  private static final byte[] KEY = MessageSchema.utf8("key");
  private static final byte[] VALUE = MessageSchema.utf8("value");
  private static final byte[] VALUES = MessageSchema.utf8("values");

  /** The kinds of an AnyValue. */
  private enum Any {
    STRING,
    INT,
    BOOL,
    DOUBLE,
    KVLIST,
    ARRAY,
    BYTES
  }

  private static final Any[] ANY = Any.values();

  /** The names of the values, in the order of the kinds. */
  private static final Names[] ANY_NAMES =
      Arrays.stream(ANY)
          .map(kind -> Names.of(kind.name().toLowerCase(Locale.ROOT) + "Value"))
          .toArray(Names[]::new);

  private static final Names DATA_POINTS = Names.of("dataPoints");
  private static final Names[] DATA = {
    Names.of("gauge"),
    Names.of("sum"),
    Names.of("histogram"),
    Names.of("exponentialHistogram"),
    Names.of("summary")
  };

  /** The longest number that is not plain digits. A longer one is no number. */
  private static final int NUMBER_CHARS_MAX = 64;

  private static final BigInteger UNSIGNED_END = BigInteger.ONE.shiftLeft(Long.SIZE);

  private final byte[] b;
  private final JsonReader json;
  private final Names resources;
  private final Names scopes;
  private final Names records;
  private long counted;
  private boolean isWatching;

  JsonRecords(Signal signal, Body body, ConvertedEvents events) {
    super(signal, events);
    this.b = body.bytes();
    this.json = new JsonReader(b, body.length());
    this.resources = Names.of(signal.resources);
    this.scopes = Names.of(signal.scopes);
    this.records = Names.of(signal.records);
  }

  /** Reads an element of an array, and returns its end. */
  private interface Element {
    int read(int at);
  }

  @Override
  void addEvents() {
    readAll(this::resource);
  }

  @Override
  long count() {
    readAll(this::countOfResource);
    return counted;
  }

  private void readAll(Element resource) {
    json.end(eachIn(json.start(), resources, resource));
  }

  private boolean isNamed(Names names) {
    return json.isName(names.camel) || json.isName(names.snake);
  }

  /** Reads an array, or a null as an empty one. */
  private int each(int start, Element element) {
    if (b[start] == 'n') {
      return json.skip(start);
    }
    int at = json.open(start, '[');
    while (!json.closes(at, ']')) {
      at = json.next(element.read(at), ']');
    }
    return at + 1;
  }

  private int resource(int start) {
    noResource();
    return group(start, RESOURCE, ofResource, this::takeResource, scopes, this::scope);
  }

  private int scope(int start) {
    noScope();
    return group(start, SCOPE, ofScope, this::takeScope, records, this::record);
  }

  /**
   * Reads the values that the parts of a group share, and the parts. Parts that stand before those
   * values wait for them.
   */
  private int group(
      int start, byte[] name, MessageFields common, Runnable take, Names parts, Element part) {
    boolean isKnown = false;
    int waiting = -1;
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      int end;
      if (json.isName(name)) {
        end = found(common, value);
        take.run();
        isKnown = true;
      } else if (!isNamed(parts)) {
        end = json.skip(value);
      } else if (isKnown) {
        end = each(value, part);
      } else {
        waiting = value;
        end = json.skip(value);
      }
      at = json.next(end, '}');
    }
    if (waiting >= 0) {
      each(waiting, part);
    }
    return at + 1;
  }

  private int record(int start) {
    int end = found(ofRecord, start);
    takeRecord();
    return end;
  }

  /**
   * Finds the fields of a message of which an event is made, as {@link #find} does, and checks its
   * UTF-8.
   */
  private int found(MessageFields found, int start) {
    json.reset();
    int end = find(found, start);
    if (!json.isUtf8()) {
      found.problem = "not UTF-8";
    }
    return end;
  }

  /** Finds the fields of a message, or of null, and returns its end. */
  private int find(MessageFields found, int start) {
    found.clear(start, start);
    if (b[start] != '{') {
      found.problem = b[start] == 'n' ? null : "not an object";
      return json.skip(start);
    }
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      int slot = slot(found);
      int end = slot == Field.NONE ? json.skip(value) : take(found, slot, value);
      at = json.next(end, '}');
    }
    return at + 1;
  }

  /**
   * Returns the slot of the field that was named last. A sender writes all messages in one order,
   * so the likely slot is tried first.
   */
  private int slot(MessageFields found) {
    int likely = found.likely();
    if (isNamed(found.schema.fields.get(likely))) {
      found.passed(likely);
      return likely;
    }
    for (int slot = 0; slot < found.schema.fields.size(); slot++) {
      if (isNamed(found.schema.fields.get(slot))) {
        found.passed(slot);
        return slot;
      }
    }
    return Field.NONE;
  }

  private boolean isNamed(Field field) {
    return json.isName(field.camel) || json.isName(field.snake);
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
    return ascii(field.camel, 0, field.camel.length) + ": of another kind than its field";
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
    boolean isPlain = to - from <= 18 && from < to;
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

  /** Returns a whole number of 64 bits; null for any other number. */
  private @Nullable BigInteger whole(int from, int to) {
    try {
      BigDecimal number = new BigDecimal(ascii(b, from, to));
      if (Math.abs((long) number.scale()) > NUMBER_CHARS_MAX) {
        return null;
      }
      BigInteger whole = number.toBigIntegerExact();
      boolean fits =
          whole.bitLength() < Long.SIZE || whole.signum() > 0 && whole.compareTo(UNSIGNED_END) < 0;
      return fits ? whole : null;
    } catch (ArithmeticException | NumberFormatException e) { // also of an exponent of many digits
      return null;
    }
  }

  @Override
  void text(int from, int to) {
    out.raw(b, from - 1, to + 1);
  }

  @Override
  void id(int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] >= 'A' && b[i] <= 'F') {
        out.string(idText(from, to));
        return;
      }
    }
    text(from, to);
  }

  @Override
  String idText(int from, int to) {
    return json.text(from, to).toLowerCase(Locale.ROOT);
  }

  @Override
  void attributes(MessageFields found, int slot, int level, byte @Nullable [] watch) {
    pairs(found.from[slot], level, watch);
  }

  /** Writes an array of pairs as an object, and returns its end. */
  private int pairs(int start, int level, byte @Nullable [] watch) {
    descend(level);
    out.beginObject();
    int end = each(start, at -> pair(at, level, watch));
    out.endObject();
    return end;
  }

  private int pair(int start, int level, byte @Nullable [] watch) {
    require(b[start] == '{', "attribute: not an object");
    int keyFrom = -1;
    int keyTo = -1;
    int waiting = -1;
    boolean isWritten = false;
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      int end;
      if (json.isName(KEY)) {
        require(b[value] == '"' && keyFrom < 0, "attribute: its key is not one text");
        end = json.skip(value);
        keyFrom = value;
        keyTo = end;
      } else if (!json.isName(VALUE)) {
        end = json.skip(value);
      } else if (keyFrom < 0) {
        waiting = value;
        end = json.skip(value);
      } else {
        require(!isWritten, "attribute: two values");
        isWritten = true;
        key(keyFrom, keyTo, watch);
        end = anyValue(value, level);
      }
      at = json.next(end, '}');
    }
    if (!isWritten) {
      key(keyFrom, keyTo, watch);
      if (waiting < 0) {
        out.nothing();
        isWatching = false;
      } else {
        anyValue(waiting, level);
      }
    }
    return at + 1;
  }

  /** Writes a key with its quotes, or an empty one for -1. */
  private void key(int from, int to, byte @Nullable [] watch) {
    if (from < 0) {
      out.key("");
    } else {
      out.raw(b, from, to).colon();
      isWatching =
          watch != null
              && to - from == watch.length + 2
              && Arrays.equals(watch, 0, watch.length, b, from + 1, to - 1);
      watched = isWatching ? null : watched;
    }
  }

  @Override
  void value(int from, int to, int level) {
    anyValue(from, level);
  }

  /** Writes an AnyValue, and returns its end. */
  private int anyValue(int start, int level) {
    boolean isWatched = isWatching;
    isWatching = false;
    if (b[start] == 'n') {
      out.nothing();
      return json.skip(start);
    }
    require(b[start] == '{', "value: not an object");
    boolean isWritten = false;
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      Any kind = kind();
      int end;
      if (kind == null || b[value] == 'n') {
        end = json.skip(value);
      } else {
        require(!isWritten, "value: of two kinds");
        isWritten = true;
        end = valueOf(kind, value, level);
        watched = isWatched && kind == Any.STRING ? json.text(value + 1, end - 1) : watched;
      }
      at = json.next(end, '}');
    }
    if (!isWritten) {
      out.nothing();
    }
    return at + 1;
  }

  private @Nullable Any kind() {
    for (int kind = 0; kind < ANY.length; kind++) {
      if (isNamed(ANY_NAMES[kind])) {
        return ANY[kind];
      }
    }
    return null;
  }

  private int valueOf(Any kind, int at, int level) {
    if (kind == Any.ARRAY || kind == Any.KVLIST) {
      return list(kind, at, level);
    }
    int end = json.skip(at);
    if (kind == Any.BOOL) {
      require(b[at] == 't' || b[at] == 'f', "boolValue: no boolean");
      out.raw(b, at, end);
    } else if (kind == Any.INT || kind == Any.DOUBLE) {
      number(at, end);
    } else {
      require(b[at] == '"', "value: no string");
      out.raw(b, at, end);
    }
    return end;
  }

  /**
   * Writes a number, which may be in a string. A string that is no number stays a string, such as
   * NaN.
   */
  private void number(int at, int end) {
    boolean isText = b[at] == '"';
    require(isText || json.isNumber(at, end), "value: no number");
    if (isText && json.isNumber(at + 1, end - 1)) {
      out.raw(b, at + 1, end - 1);
    } else {
      out.raw(b, at, end);
    }
  }

  /** Writes the array in an object. */
  private int list(Any kind, int start, int level) {
    require(b[start] == '{', "value: no object");
    boolean isWritten = false;
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      int end;
      if (json.isName(VALUES) && b[value] != 'n') {
        require(b[value] == '[' && !isWritten, "values: not one array");
        isWritten = true;
        end = kind == Any.KVLIST ? pairs(value, level + 1, null) : array(value, level + 1);
      } else {
        end = json.skip(value);
      }
      at = json.next(end, '}');
    }
    if (!isWritten) {
      empty(kind, level + 1);
    }
    return at + 1;
  }

  private void empty(Any kind, int level) {
    descend(level);
    if (kind == Any.KVLIST) {
      out.beginObject().endObject();
    } else {
      out.beginArray().endArray();
    }
  }

  private int array(int start, int level) {
    descend(level);
    out.beginArray();
    int end = each(start, at -> anyValue(at, level));
    out.endArray();
    return end;
  }

  @Override
  void messages(MessageFields found, int slot, int level) {
    MessageFields each = found.child(slot);
    descend(level);
    out.beginArray();
    each(
        found.from[slot],
        at -> {
          int end = find(each, at);
          message(each, level + 1);
          return end;
        });
    out.endArray();
  }

  private int countOfResource(int start) {
    return eachIn(start, scopes, this::countOfScope);
  }

  private int countOfScope(int start) {
    return eachIn(start, records, this::countRecord);
  }

  private int countRecord(int start) {
    if (signal == Signal.METRICS && b[start] == '{') {
      return countPoints(start);
    }
    return countOne(start);
  }

  private int countOne(int start) {
    counted++;
    return json.skip(start);
  }

  private int countPoints(int start) {
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      boolean isData = b[value] == '{' && isOneOf(DATA);
      at = json.next(isData ? eachIn(value, DATA_POINTS, this::countOne) : json.skip(value), '}');
    }
    return at + 1;
  }

  private boolean isOneOf(Names[] names) {
    for (Names name : names) {
      if (isNamed(name)) {
        return true;
      }
    }
    return false;
  }

  /** Reads the elements of an array in an object. */
  private int eachIn(int start, Names names, Element element) {
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      at = json.next(isNamed(names) ? each(value, element) : json.skip(value), '}');
    }
    return at + 1;
  }

  private static void require(boolean isRight, String problem) {
    if (!isRight) {
      throw RecordRefused.against(problem);
    }
  }

  /** The names of a field: in camel case, and as in the schema. */
  private static final class Names {
    private final byte[] camel;
    private final byte[] snake;

    private Names(byte[] camel, byte[] snake) {
      this.camel = camel;
      this.snake = snake;
    }

    static Names of(String camel) {
      return new Names(MessageSchema.utf8(camel), MessageSchema.utf8(MessageSchema.snake(camel)));
    }
  }
}
