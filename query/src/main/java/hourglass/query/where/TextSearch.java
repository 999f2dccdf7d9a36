package hourglass.query.where;

import hourglass.query.where.json.Effort;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Searches payloads for a text, byte for byte, by Horspool (1980). A text that its writer escaped
 * ({@code \"}) is found only in that spelling. Immutable.
 */
public final class TextSearch extends PayloadSearch {
  private static final int FOUND = -1;

  private final byte[] wanted;

  /** The jump of the window for each value of its last byte. */
  private final int[] jumps = new int[256];

  public TextSearch(String text) {
    wanted = text.getBytes(StandardCharsets.UTF_8);
    Arrays.fill(jumps, wanted.length);
    for (int i = 0; i < wanted.length - 1; i++) {
      jumps[wanted[i] & 0xff] = wanted.length - 1 - i;
    }
  }

  @Override
  boolean isIn(byte[] bytes, int from, int to) {
    int at = from + wanted.length - 1;
    while (to - at > BLOCK) {
      at = search(bytes, at, at + BLOCK);
      if (at == FOUND) {
        return true;
      }
      Effort.current().look();
    }
    return search(bytes, at, to) == FOUND;
  }

  /** The last byte of the next window at or after {@code to}, or FOUND. */
  private int search(byte[] bytes, int at, int to) {
    int lastOfWanted = wanted.length - 1;
    byte last = wanted[lastOfWanted];
    int next = at;
    for (; next < to; next += jumps[bytes[next] & 0xff]) {
      if (bytes[next] == last
          && Arrays.equals(bytes, next - lastOfWanted, next, wanted, 0, lastOfWanted)) {
        return FOUND;
      }
    }
    return next;
  }
}
