package hourglass.query.where;

import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonPath;
import hourglass.bytes.JsonScan;
import hourglass.bytes.Spans;
import hourglass.query.filter.Effort;
import hourglass.query.filter.EventParts;
import hourglass.query.line.StreamLabels;
import hourglass.query.where.json.FieldTree;
import hourglass.store.Columns;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of one event for an {@link Expression}: its parts, the fields of its payload, and the
 * variables of loops. Used by one thread.
 */
final class EventValues {
  /** The names that an expression may use. */
  static final String DATA = "data";

  static final String TYPE = "type";
  static final String TIME = "time";
  static final String ID = "id";
  static final String LEVEL = "detected_level";

  /** The most steps of all loops over one event: some milliseconds. */
  static final int ITERATIONS_MAX = 10_000;

  /** The number of bytes that are searched for fields in one step of {@link Effort}. */
  private static final int BYTES_A_STEP = 16;

  /**
   * The values that the expressions of a filter read.
   *
   * @param fields the fields of payloads
   * @param variables the number of variables of loops
   */
  record Shape(FieldTree fields, int variables) {}

  private final Columns columns;
  private final int i;
  private final String type;
  private final FieldTree tree;
  private final @Nullable Object[] fields;
  private final Object[] variables;
  private @Nullable Spans spans;
  private boolean isScanned;
  private @Nullable Object payload;
  private int iterations;

  EventValues(Columns columns, int i, String type, Shape shape) {
    this.columns = columns;
    this.i = i;
    this.type = type;
    tree = shape.fields;
    fields = new @Nullable Object[tree.size()];
    variables = new Object[shape.variables];
  }

  String type() {
    return type;
  }

  Instant time() {
    return Ticks.toInstant(columns.ticks(i));
  }

  String id() {
    return columns.id(i).toString();
  }

  String level() {
    Effort.current().spend(columns.length(i));
    return EventParts.level(columns, i, type, StreamLabels.STANDARD);
  }

  Object variable(int number) {
    return variables[number];
  }

  void set(int number, Object value) {
    variables[number] = value;
  }

  /** Counts a step of a loop. Returns false if there were too many. */
  boolean step() {
    return ++iterations <= ITERATIONS_MAX;
  }

  /** Throws {@link WhereException} if loops needed too many steps, so that a value is unknown. */
  void checkSteps() {
    if (iterations > ITERATIONS_MAX) {
      throw new WhereException(
          "for event "
              + id()
              + " it takes more than "
              + ITERATIONS_MAX
              + " steps of all, exists, exists_one, map and filter; ask less of long lists, as in"
              + " size(data.list) <= 100 && data.list.all(...)");
    }
  }

  /**
   * Returns the value at a path, which has a number in the tree of fields; an error if the value is
   * absent.
   */
  Object field(int number, Path path) {
    Object value = fields[number];
    if (value == null) {
      value = read(number, path);
      fields[number] = value;
    }
    return value;
  }

  private Object read(int number, Path path) {
    Spans found = spans();
    if (found == null) {
      return search(path);
    }
    int from = found.start(number);
    int to = found.end(number);
    if (to == 0) {
      return Special.ERROR;
    }
    return number == 0
        ? JsonValue.ofPayload(columns.bytes(), from, to)
        : JsonValue.of(columns.bytes(), from, to);
  }

  private @Nullable Spans spans() {
    if (!isScanned) {
      int from = columns.offset(i);
      Effort.current().spend(columns.length(i) / BYTES_A_STEP);
      spans = tree.find(columns.bytes(), from, from + columns.length(i));
      isScanned = true;
    }
    return spans;
  }

  /** Finds a value in an odd payload, as {@link FieldTree} defines it. */
  private Object search(Path path) {
    Object value = payload();
    if (!path.field().isEmpty()) {
      value = value instanceof Map ? search(path.field()) : Special.ERROR;
    }
    for (String member : path.members()) {
      value = Functions.member(value, member);
    }
    return value;
  }

  private Object search(String field) {
    int from = columns.offset(i);
    int to = from + columns.length(i);
    Effort effort = Effort.current();
    effort.spend((to - from) / BYTES_A_STEP);
    JsonPath path = new JsonPath(field, () -> comparesNames(effort));
    return path.find(columns.bytes(), from, to)
        ? JsonValue.of(columns.bytes(), path.from(), path.to())
        : Special.ERROR;
  }

  /**
   * Counts the bytes that a path compares between two checks, and ends the work if the client is
   * gone. Never stops the path itself.
   */
  private static boolean comparesNames(Effort effort) {
    effort.spend(JsonPath.LOOK_EVERY / BYTES_A_STEP);
    effort.look();
    return false;
  }

  private Object payload() {
    if (payload == null) {
      int end = columns.offset(i) + columns.length(i);
      int from = JsonScan.skipSpace(columns.bytes(), columns.offset(i), end);
      payload =
          JsonValue.ofPayload(
              columns.bytes(), from, JsonScan.skipValue(columns.bytes(), from, end));
    }
    return payload;
  }
}
