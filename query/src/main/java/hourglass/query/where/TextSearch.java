package hourglass.query.where;

import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds a text in payloads, byte for byte as the payload has it: a text that its writer escaped
 * ({@code \}{@code u00e9}, {@code \"}) is found only in that spelling. Immutable.
 *
 * <p>By Horspool (1980): look at the last byte of a window; the longer the text, the farther the
 * window may jump when that byte does not fit.
 */
public final class TextSearch {
  private final byte[] wanted;

  /** How far the window moves, by the last byte that it shows. */
  private final int[] jumps = new int[256];

  /**
   * Prepares the search.
   *
   * @param text at least one character
   */
  public TextSearch(String text) {
    wanted = text.getBytes(StandardCharsets.UTF_8);
    Arrays.fill(jumps, wanted.length);
    for (int i = 0; i < wanted.length - 1; i++) {
      jumps[wanted[i] & 0xff] = wanted.length - 1 - i;
    }
  }

  /** Whether payload {@code i} contains the text. */
  public boolean isIn(Columns columns, int i) {
    return isIn(columns.bytes(), columns.offset(i), columns.offset(i) + columns.length(i));
  }

  /** Whether the bytes in {@code [from, to)} contain it. */
  boolean isIn(byte[] bytes, int from, int to) {
    int lastOfWanted = wanted.length - 1;
    byte last = wanted[lastOfWanted];
    for (int at = from + lastOfWanted; at < to; at += jumps[bytes[at] & 0xff]) {
      if (bytes[at] == last
          && Arrays.equals(bytes, at - lastOfWanted, at, wanted, 0, lastOfWanted)) {
        return true;
      }
    }
    return false;
  }
}
