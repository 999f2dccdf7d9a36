package hourglass.query;

import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds a text in payloads, byte for byte as the payload has it: a text that its writer escaped
 * ({@code \}{@code u00e9}, {@code \"}) is found only in that spelling. Immutable.
 */
final class TextSearch {
  private final byte[] wanted;

  TextSearch(String text) {
    wanted = text.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether payload {@code i} contains the text. */
  boolean isIn(Columns columns, int i) {
    byte[] bytes = columns.bytes();
    int last = columns.offset(i) + columns.length(i) - wanted.length;
    byte first = wanted[0];
    for (int at = columns.offset(i); at <= last; at++) {
      if (bytes[at] == first
          && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
        return true;
      }
    }
    return false;
  }
}
