package hourglass.ingest.decode;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonWriter;
import hourglass.ingest.decode.EventFields.Kind;
import java.util.List;

/**
 * Recognises a line of a log that is one JSON object, and writes it with a member of ours spliced
 * in as the first one. The line is there byte for byte, so it can be restored by removing that
 * member:
 *
 * <pre>
 * line     {"a":1}              {}          \t{"a":1}
 * payload  {"our":{},"a":1}     {"our":{}}    {\t"our":{},"a":1}
 * </pre>
 *
 * White space before the object moves after its bracket, since a payload begins with the bracket.
 * Not thread-safe.
 */
public final class LineObject {
  private final JsonScanner json;
  private final EventFields fields;
  private final FieldNames reserved;

  // These describe the line that was read last: its beginning and end, and its object's bracket and
  // first member.
  private byte[] b = {};
  private int from;
  private int to;
  private int open;
  private int first;

  /**
   * Recognises JSON objects that have no member of the reserved name.
   *
   * @param levelsMax the most levels of objects and arrays in one another
   * @param reserved the name of the member that is spliced in
   */
  public LineObject(int levelsMax, String reserved) {
    this.json = new JsonScanner(levelsMax);
    this.fields = new EventFields(json);
    this.reserved = FieldNames.of(List.of(reserved));
  }

  /**
   * Returns whether {@code [lineFrom, lineTo)} is such an object in UTF-8, with nothing but white
   * space around it. At least eight more bytes must follow in the array, and one of them must be
   * invalid in JSON, so that a scan stops there.
   */
  public boolean read(byte[] bytes, int lineFrom, int lineTo) {
    b = bytes;
    from = lineFrom;
    to = lineTo;
    open = space(lineFrom);
    if (open == to || b[open] != '{') {
      return false;
    }
    int end = fields.scan(b, open, reserved);
    first = space(open + 1);
    return end >= 0
        && end <= to
        && space(end) == to
        && json.notUtf8At() < 0
        && !json.isTooDeep()
        && fields.kind(0) == Kind.ABSENT;
  }

  private int space(int at) {
    int i = at;
    while (i < to && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n')) {
      i++;
    }
    return i;
  }

  /** Writes the beginning of the object, up to the member that is spliced in. */
  public void begin(JsonWriter out) {
    out.beginObject().space(b, from, open);
  }

  /** Writes the rest of the line after that member. */
  public void end(JsonWriter out) {
    out.rest(b, open + 1, to, b[first] == '}');
  }
}
