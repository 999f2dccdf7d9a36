package hourglass.bytes;

/** Reports a text that is not JSON. Its message contains the position and the reason. */
public final class MalformedJsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int at;
  private final String expected;

  MalformedJsonException(int at, String expected) {
    super("not JSON at byte " + at + ": want " + expected, null, false, false);
    this.at = at;
    this.expected = expected;
  }

  /** Returns the position in bytes, from 0. */
  public int at() {
    return at;
  }

  /** Returns what JSON or the reader expects there, such as "a comma". */
  public String expected() {
    return expected;
  }
}
