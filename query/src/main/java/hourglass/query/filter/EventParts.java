package hourglass.query.filter;

import hourglass.bytes.JsonScan;
import hourglass.bytes.Spans;
import hourglass.query.line.DetectedLevel;
import hourglass.query.line.LevelFields;
import hourglass.query.line.LineParts;
import hourglass.query.line.StreamLabels;
import hourglass.query.where.json.FieldTree;
import hourglass.store.Columns;
import org.jspecify.annotations.Nullable;

/** An event as conditions see it: whole, or only its fields. Used by one thread. */
public final class EventParts {
  private static final FieldTree NO_FIELDS = new FieldTree();

  private final Columns columns;
  private final int i;
  private final @Nullable String type;
  private final FieldTree fields;
  private final byte[] bytes;
  private @Nullable Spans spans;
  private boolean scanned;
  private @Nullable Object view;

  public EventParts(Columns columns, int i, String type, FieldTree fields) {
    this.columns = columns;
    this.i = i;
    this.type = type;
    this.fields = fields;
    bytes = columns.bytes();
  }

  /**
   * Creates an event that consists of these values. It has no time and id, and no type if that is
   * null.
   */
  EventParts(@Nullable String type, FieldTree fields, byte[] bytes, @Nullable Spans spans) {
    columns = Columns.EMPTY;
    i = 0;
    this.type = type;
    this.fields = fields;
    this.bytes = bytes;
    this.spans = spans;
    scanned = true;
  }

  /** Returns an event of which only the type is known. */
  public static EventParts ofType(String type) {
    return new EventParts(type, NO_FIELDS, Columns.EMPTY.bytes(), null);
  }

  /** Returns an event that is known only by a view, once that is added. */
  public static EventParts ofView() {
    return new EventParts(null, NO_FIELDS, Columns.EMPTY.bytes(), null);
  }

  /** Adds a view of the whole event, which decides where the bytes of fields do not. */
  public EventParts decideBy(Object added) {
    view = added;
    return this;
  }

  /** Returns the view of the whole event; null if it has none of this type. */
  <V> @Nullable V view(Class<V> type) {
    return type.isInstance(view) ? type.cast(view) : null;
  }

  boolean isWhole() {
    return !columns.isEmpty();
  }

  @Nullable String type() {
    return type;
  }

  @Nullable String id() {
    return isWhole() ? columns.id(i).toString() : null;
  }

  /** Returns the event's level; null if only the whole event can show it. */
  @Nullable String level(LevelFields levelFields) {
    Spans found = spans();
    String level = found == null ? null : levelFields.level(bytes, found);
    return level == null && isWhole() && type != null
        ? level(columns, i, type, levelFields.rules())
        : level;
  }

  /** Derives the level as queries of LogQL do, by the rules that find the labels of events. */
  public static String level(Columns columns, int i, String type, StreamLabels rules) {
    int begin = columns.offset(i);
    LineParts parts = new LineParts(columns.bytes(), begin, begin + columns.length(i));
    return DetectedLevel.of(parts, rules, type);
  }

  /** Whether the whole payload is known, and is an object. */
  boolean isObject() {
    if (!isWhole()) {
      return false;
    }
    int end = columns.offset(i) + columns.length(i);
    int from = JsonScan.skipSpace(bytes, columns.offset(i), end);
    return from < end && bytes[from] == '{';
  }

  /** Whether a whole payload contains a text. */
  boolean has(PayloadSearch text) {
    return text.isIn(columns, i);
  }

  long ticks() {
    return columns.ticks(i);
  }

  byte[] bytes() {
    return bytes;
  }

  @Nullable Spans spans() {
    if (!scanned) {
      int from = columns.offset(i);
      spans = fields.find(columns.bytes(), from, from + columns.length(i));
      scanned = true;
    }
    return spans;
  }
}
