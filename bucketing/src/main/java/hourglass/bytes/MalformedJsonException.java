package hourglass.bytes;

/** Reports a text that is not JSON. Its message contains the position and the reason. */
public final class MalformedJsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedJsonException(int at, String expected) {
    super("not JSON at byte " + at + ": want " + expected, null, false, false);
  }
}
