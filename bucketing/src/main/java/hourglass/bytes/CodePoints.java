package hourglass.bytes;

import java.util.Comparator;

/**
 * The order of texts by their code points, which is that of their bytes in UTF-8. {@link
 * String#compareTo} puts the characters beyond U+FFFF before those from U+E000 on, since it
 * compares the halves of their surrogate pairs. Half a pair without the other half is a code point
 * of its own.
 */
public final class CodePoints {
  public static final Comparator<String> ORDER = CodePoints::compare;

  private CodePoints() {}

  /** Returns -1, 0 or 1 if {@code a} is before {@code b}, equal to it, or after it. */
  public static int compare(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      if (a.charAt(i) != b.charAt(i)) {
        return compareAt(i, a, b);
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** Compares the code points at {@code i}, where the first difference is. */
  private static int compareAt(int i, String a, String b) {
    // The difference may lie in the second half of a pair.
    int at = i > 0 && Character.isHighSurrogate(a.charAt(i - 1)) ? i - 1 : i;
    int before = Integer.compare(a.codePointAt(at), b.codePointAt(at));
    return before != 0 ? before : Integer.compare(a.codePointAt(i), b.codePointAt(i));
  }
}
