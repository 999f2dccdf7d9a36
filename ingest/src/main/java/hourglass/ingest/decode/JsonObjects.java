package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonString;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import hourglass.ingest.decode.EventFields.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Steps through JSON objects that follow one another in a body, with or without white space between
 * them, and finds some of their fields. A broken object ends at the next line that may begin one,
 * so that it costs the fewest others. Not thread-safe.
 */
public final class JsonObjects {
  private final byte[] b;
  private final int length;
  private final JsonScanner json = new JsonScanner(1);
  private final EventFields fields = new EventFields(json);
  private final FieldNames names;
  private int from;
  private int to;
  private @Nullable String problem;

  /**
   * Starts before the first object.
   *
   * @param fields the names of fields; the methods below accept their places in this list
   */
  public JsonObjects(Body body, List<String> fields) {
    this.b = body.bytes();
    this.length = body.length();
    this.names = FieldNames.of(fields);
    this.to = Utf8.afterMark(b, 0, length);
  }

  /** Moves to the next object, or to text that is none; false at the end of the body. */
  public boolean next() {
    from = json.space(b, to);
    if (from >= length) {
      return false;
    }
    int end = b[from] == '{' ? fields.scan(b, from, names) : json.fail(from, "a JSON object");
    problem = null;
    if (end < 0) {
      int failed = Math.min(json.failedAt(), length);
      String early = failed == length ? "ends too early, " : "";
      problem = "not JSON at byte " + failed + ": " + early + "want " + json.expected();
      end = nextLine(failed);
    }
    to = end;
    return true;
  }

  /** Returns the line of the failure if it may begin an object, else the next line that may. */
  private int nextLine(int failed) {
    int line = failed;
    while (line > from && b[line - 1] != '\n') {
      line--;
    }
    while (line < length && !(line > from && b[line] == '{')) {
      while (line < length && b[line] != '\n') {
        line++;
      }
      line = json.space(b, line);
    }
    return Math.min(line, length);
  }

  /** Returns why the current text is no object; null if it is one. */
  public @Nullable String problem() {
    return problem;
  }

  public int from() {
    return from;
  }

  /** Returns the end of the object, or of the text if it is no object. */
  public int to() {
    return to;
  }

  /** Returns whether the object has no such field. */
  public boolean isAbsent(int field) {
    return fields.kind(field) == Kind.ABSENT;
  }

  public boolean isNull(int field) {
    return fields.kind(field) == Kind.NULL;
  }

  /** Returns whether a field is a text that is empty or white space. */
  public boolean isBlank(int field) {
    if (!fields.kind(field).isText()) {
      return false;
    }
    int start = fields.from(field);
    int end = fields.to(field);
    while (start < end && b[start] == ' ') {
      start++;
    }
    return (start == end || b[start] == '\\') && JsonString.decode(b, start, end).isBlank();
  }

  public boolean isObject(int field) {
    return fields.kind(field) == Kind.OBJECT;
  }

  /** Returns the text of a field; null if it is absent, empty or no text. */
  public @Nullable String text(int field) {
    int start = fields.from(field);
    int end = fields.to(field);
    return fields.kind(field).isText() && start < end ? JsonString.decode(b, start, end) : null;
  }

  /**
   * Returns the time of a field that is a number since 1970 or the text of one, its unit by its
   * size; {@link Rfc3339#NOT_A_TIME} for any other, and for 0.
   */
  public long ticks(int field) {
    Kind kind = fields.kind(field);
    int start = fields.from(field);
    int end = fields.to(field);
    boolean isNumber =
        kind == Kind.NUMBER || kind == Kind.STRING && TimeNumber.isNumber(json, b, start, end);
    long ticks = isNumber ? TimeNumber.parse(b, start, end) : Rfc3339.NOT_A_TIME;
    return ticks <= Ticks.UNIX_EPOCH ? Rfc3339.NOT_A_TIME : ticks;
  }
}
