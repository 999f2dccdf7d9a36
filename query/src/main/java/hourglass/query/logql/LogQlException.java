package hourglass.query.logql;

/** A text that is not a query of the supported part of LogQL; the message contains the position. */
public final class LogQlException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  LogQlException(String message) {
    super(message);
  }

  /** Returns an exception about the character {@code at} of the text, counted from 0. */
  static LogQlException at(String text, int at, String problem) {
    int end = Math.min(at, text.length());
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < end; i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return new LogQlException(
        "parse error at line %d, col %d: %s".formatted(line, end - lineStart + 1, problem));
  }
}
