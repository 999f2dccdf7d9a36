package hourglass.query.where;

import hourglass.query.where.json.Effort;
import hourglass.store.Columns;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** Searches payloads for a text. Immutable. */
public abstract sealed class PayloadSearch permits TextSearch, FoldedSearch {
  /** Bytes between two checks for the client; some milliseconds at most. */
  static final int BLOCK = Effort.LONG_BYTES;

  PayloadSearch() {}

  /** Searches for a text of at least one character, with {@code ignoreCase} by its folded case. */
  public static PayloadSearch of(String text, boolean ignoreCase) {
    return ignoreCase ? new FoldedSearch(text) : new TextSearch(text);
  }

  /**
   * Whether payload {@code i} contains the text.
   *
   * @throws CancellationException if the client gave the query up
   */
  public final boolean isIn(Columns columns, int i, BooleanSupplier gone) {
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
  public final boolean isIn(Columns columns, int i) {
    return isIn(columns.bytes(), columns.offset(i), columns.offset(i) + columns.length(i));
  }

  abstract boolean isIn(byte[] bytes, int from, int to);
}
