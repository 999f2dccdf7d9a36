package hourglass.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.Utf8;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The format of a body. */
public enum BodyFormat {
  /** One object, or an array of objects. */
  JSON,
  /** One object on each line. */
  NDJSON,
  /** One CloudEvent in JSON, or an array of them. */
  CLOUDEVENTS,
  /** Text, in which each line is an event; or one object on a line, as in NDJSON. */
  TEXT;

  private static final List<byte[]> WORDS =
      Stream.of("true", "false", "null").map(word -> word.getBytes(UTF_8)).toList();

  /**
   * Guesses the format of a body whose sender does not name it, by its beginning: JSON, lines of
   * JSON, or text. A body that begins like JSON and breaks is not text.
   */
  public static BodyFormat guess(Body body) {
    byte[] b = body.bytes();
    JsonScanner json = new JsonScanner(Integer.MAX_VALUE);
    json.reset();
    int at = json.space(b, Utf8.afterMark(b, 0, body.length()));
    int lineEnd = body.lineEnd(at);
    if (!beginsLikeJson(b, at, lineEnd)) {
      return at < body.length() ? TEXT : NDJSON;
    }
    return b[at] == '[' || isDocument(b, at, lineEnd, json) ? JSON : NDJSON;
  }

  /**
   * Returns whether the first object continues after its line, and the next line begins no other
   * one.
   */
  private static boolean isDocument(byte[] b, int at, int lineEnd, JsonScanner json) {
    json.lines(true);
    boolean isWhole = json.value(b, at) >= 0;
    if (isWhole || json.failedAt() < lineEnd) {
      return false;
    }
    json.lines(false);
    byte next = b[json.space(b, lineEnd)];
    return next != '{' && next != 0 && (json.value(b, at) >= 0 || json.failedAt() > lineEnd);
  }

  /**
   * Returns whether the text at {@code at}, on a line that ends at {@code lineEnd}, begins as an
   * object or an array of JSON does. Lines of logs begin with a bracket too:
   *
   * <pre>
   * {..., [{..., ["..., []            like JSON
   * [1, 2        [true]               like JSON
   * [2026-11-20 08:30:00] started     not so
   * [main] INFO  [1234] started       not so
   * </pre>
   */
  static boolean beginsLikeJson(byte[] b, int at, int lineEnd) {
    if (at >= lineEnd || b[at] != '[') {
      return at < lineEnd && b[at] == '{';
    }
    int first = at;
    while (first < lineEnd && b[first] == '[') {
      first = blank(b, first + 1, lineEnd);
    }
    if (first == lineEnd) {
      return true;
    }
    return switch (b[first]) {
      case '{', '"' -> true;
      case ']' -> isEndOfArray(b, first, lineEnd);
      default -> isElement(b, first, lineEnd);
    };
  }

  /**
   * Returns whether a number or a word of JSON stands here, before a byte that may follow it in an
   * array.
   */
  private static boolean isElement(byte[] b, int at, int lineEnd) {
    int end = scalarEnd(b, at, lineEnd);
    int next = blank(b, end, lineEnd);
    return end > at && (next == lineEnd || b[next] == ',' || isEndOfArray(b, next, lineEnd));
  }

  private static boolean isEndOfArray(byte[] b, int at, int lineEnd) {
    int i = at;
    while (i < lineEnd && (b[i] == ']' || b[i] == ',')) {
      i = blank(b, i + 1, lineEnd);
    }
    return i > at && i == lineEnd;
  }

  /** Returns the end of a number, or of one of the words of JSON; {@code at} if there is none. */
  private static int scalarEnd(byte[] b, int at, int lineEnd) {
    for (byte[] word : WORDS) {
      int end = at + word.length;
      if (end <= lineEnd && Arrays.equals(b, at, end, word, 0, word.length)) {
        return end;
      }
    }
    int from = b[at] == '-' ? at + 1 : at;
    int whole = JsonScanner.digits(b, from);
    if (whole == from) {
      return at;
    }
    return b[whole] == '.' ? JsonScanner.digits(b, whole + 1) : whole;
  }

  private static int blank(byte[] b, int from, int to) {
    int i = from;
    while (i < to && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r')) {
      i++;
    }
    return i;
  }
}
