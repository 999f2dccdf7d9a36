package hourglass.query.filter;

/**
 * Sets of true, false and error, combined by the rules of CEL: {@code &&} is false if one side is
 * false, even if the other is an error; {@code ||} is true if one side is true. An event matches if
 * true is the only outcome, and does not match if true is not among them.
 */
public final class Outcomes {
  public static final int TRUE = 1;
  public static final int FALSE = 2;
  public static final int ERROR = 4;

  /** The outcomes of a value that is unknown, but not an error. */
  public static final int EITHER = TRUE | FALSE;

  /** The outcomes of a value that is unknown, and may be an error. */
  public static final int ANY = TRUE | FALSE | ERROR;

  private Outcomes() {}

  /** Returns whether only one outcome is possible. */
  public static boolean isKnown(int outcomes) {
    return Integer.bitCount(outcomes) == 1;
  }

  public static int of(boolean value) {
    return value ? TRUE : FALSE;
  }

  public static int not(int a) {
    return (a & ERROR) | ((a & TRUE) << 1) | ((a & FALSE) >> 1);
  }

  public static int and(int a, int b) {
    if (a == TRUE) {
      return b;
    }
    int isFalse = (a | b) & FALSE;
    int isTrue = a & b & TRUE;
    // An error results if one side is an error and the other an error or true.
    boolean isError = ((a & ERROR) != 0 && b != FALSE) || ((b & ERROR) != 0 && a != FALSE);
    return isFalse | isTrue | (isError ? ERROR : 0);
  }

  public static int or(int a, int b) {
    return a == FALSE ? b : not(and(not(a), not(b)));
  }

  public static int choice(int a, int b, int c) {
    return (a & ERROR) | ((a & TRUE) != 0 ? b : 0) | ((a & FALSE) != 0 ? c : 0);
  }
}
