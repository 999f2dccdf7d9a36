package hourglass.bytes;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Steps through JSON in place: it makes no tree, and checks each byte that it passes. Methods
 * accept and return positions. Not thread-safe.
 *
 * <pre>
 * int at = json.open(start, '{');
 * while (!json.closes(at, '}')) {
 *   int value = json.name(at);
 *   at = json.next(json.skip(value), '}');
 * }
 * int end = at + 1;
 * </pre>
 *
 * <p>All methods but the accessors throw {@link MalformedJsonException}.
 */
public final class JsonReader {
  private final byte[] b;
  private final int length;
  private final JsonScanner scanner;
  private byte[] name = {};
  private int nameFrom;
  private int nameTo;
  private int nameEnd;

  /** Creates a reader of the first {@code length} bytes, which eight zeros must follow. */
  public JsonReader(byte[] b, int length) {
    this.b = b;
    this.length = length;
    this.scanner = new JsonScanner(Integer.MAX_VALUE);
    scanner.reset();
  }

  /** Returns the first byte of the value, after a byte order mark and white space. */
  public int start() {
    return scanner.space(b, Utf8.afterMark(b, 0, length));
  }

  /** Requires that nothing follows but white space. */
  public void end(int at) {
    int rest = scanner.space(b, at);
    if (rest < length) {
      throw new MalformedJsonException(rest, "nothing more");
    }
  }

  /** Moves from a bracket to the first member or element, or to the closing bracket. */
  public int open(int at, char bracket) {
    if (b[at] != bracket) {
      throw new MalformedJsonException(at, String.valueOf(bracket));
    }
    return scanner.space(b, at + 1);
  }

  /** Returns whether an object or array has no further member or element. */
  public boolean closes(int at, char bracket) {
    return b[at] == bracket;
  }

  /** Moves from the end of a member or element to the next one, or to the closing bracket. */
  public int next(int at, char closing) {
    int i = scanner.space(b, at);
    if (b[i] == ',') {
      i = scanner.space(b, i + 1);
      if (b[i] != closing) {
        return i;
      }
    } else if (b[i] == closing) {
      return i;
    }
    throw new MalformedJsonException(i, "a comma, or " + closing + " behind a value");
  }

  /** Moves from a member to its value; then {@link #isName} compares its name. */
  public int name(int at) {
    if (b[at] != '"') {
      throw new MalformedJsonException(at, "a name");
    }
    scanner.clearEscaped();
    nameEnd = passed(scanner.string(b, at + 1));
    name = b;
    nameFrom = at + 1;
    nameTo = nameEnd - 1;
    if (scanner.isEscaped()) {
      name = JsonString.utf8(b, nameFrom, nameTo);
      nameFrom = 0;
      nameTo = name.length;
    }
    return passed(scanner.colon(b, nameEnd));
  }

  /** Returns the position after the closing quote of the name that was read last. */
  public int nameEnd() {
    return nameEnd;
  }

  public boolean isName(byte[] wanted) {
    return wanted.length == nameTo - nameFrom
        && Arrays.equals(wanted, 0, wanted.length, name, nameFrom, nameTo);
  }

  /**
   * Reads an object, and returns its end.
   *
   * @param member accepts the position of a member's value, whose name {@link #isName} compares,
   *     and returns the end of the value
   */
  public int members(int start, IntUnaryOperator member) {
    int at = open(start, '{');
    while (!closes(at, '}')) {
      at = next(member.applyAsInt(name(at)), '}');
    }
    return at + 1;
  }

  /**
   * Reads an array, or a null as an empty one, and returns its end.
   *
   * @param element accepts the position of an element, and returns its end
   */
  public int each(int start, IntUnaryOperator element) {
    if (b[start] == 'n') {
      return skip(start);
    }
    int at = open(start, '[');
    while (!closes(at, ']')) {
      at = next(element.applyAsInt(at), ']');
    }
    return at + 1;
  }

  /** Returns the end of any value. */
  public int skip(int at) {
    return passed(scanner.value(b, at));
  }

  /** Returns the text of a string that was passed, {@code [from, to)} without its quotes. */
  public String text(int from, int to) {
    return JsonString.decode(b, from, to);
  }

  /** Returns whether {@code [from, to)} is a number of JSON. */
  public boolean isNumber(int from, int to) {
    return from < to
        && (b[from] == '-' || b[from] - '0' >= 0 && b[from] <= '9')
        && scanner.scalar(b, from) == to;
  }

  /** Returns whether all text was well-formed UTF-8 since {@link #reset}. */
  public boolean isUtf8() {
    return scanner.notUtf8At() < 0;
  }

  public void reset() {
    scanner.reset();
  }

  /** Returns the scanner of this reader, for texts that are read in another way. */
  public JsonScanner scanner() {
    return scanner;
  }

  /** Returns a position that the scanner returned, or throws where it has failed. */
  public int passed(int at) {
    if (at < 0) {
      throw new MalformedJsonException(scanner.failedAt(), scanner.expected());
    }
    return at;
  }
}
