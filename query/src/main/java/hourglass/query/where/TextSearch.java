package hourglass.query.where;

import hourglass.query.where.json.Effort;
import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Searches payloads for a text, byte for byte, by Horspool (1980). A text that its writer escaped
 * ({@code \"}) is found only in that spelling. Immutable.
 */
public final class TextSearch {
  /** Bytes between two checks for the client; some milliseconds at most. */
  private static final int BLOCK = Effort.LONG_BYTES;

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

  /**
   * Whether payload {@code i} contains the text.
   *
   * @throws CancellationException if the client gave the query up
   */
  public boolean isIn(Columns columns, int i, BooleanSupplier gone) {
    int length = columns.length(i);
    if (length < Effort.LONG_BYTES) {
      return isIn(columns, i);
    }
    Effort.begin(gone, Map.of());
    try {
      return isIn(columns, i);
    } catch (Effort.GoneError e) {
      throw new CancellationException(e.getMessage());
    } finally {
      Effort.end();
    }
  }

  /** Searches within the current {@link Effort}. */
  public boolean isIn(Columns columns, int i) {
    return isIn(columns.bytes(), columns.offset(i), columns.offset(i) + columns.length(i));
  }

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
