package hourglass.query.filter;

import hourglass.bytes.ByteSearch;
import hourglass.store.Columns;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Searches payloads for a text. Immutable. */
public abstract sealed class PayloadSearch permits TextSearch, FoldedSearch {
  /** The number of bytes between two checks for the client: some milliseconds at most. */
  static final int BLOCK = Effort.LONG_BYTES;

  PayloadSearch() {}

  /**
   * Searches for a text of at least one character; {@code ignoreCase} compares folded characters.
   */
  public static PayloadSearch of(String text, boolean ignoreCase) {
    return ignoreCase ? new FoldedSearch(text) : new TextSearch(text);
  }

  /** Searches for words in values, in any case. The text has at least one character. */
  public static PayloadSearch ofWords(String text) {
    return new Words(text).inJson();
  }

  /**
   * Whether payload {@code i} contains the text.
   *
   * @throws CancellationException if the client has cancelled the query
   */
  public final boolean isIn(Columns columns, int i, BooleanSupplier gone) {
    return columns.length(i) < Effort.LONG_BYTES
        ? isIn(columns, i)
        : Effort.within(gone, Map.of(), () -> isIn(columns, i));
  }

  /** Whether payload {@code i} contains the text, within the current {@link Effort}. */
  public final boolean isIn(Columns columns, int i) {
    return isIn(columns.bytes(), columns.offset(i), columns.offset(i) + columns.length(i));
  }

  /**
   * Whether the bytes in {@code [from, to)} contain the text, within the current {@link Effort}.
   */
  public abstract boolean isIn(byte[] bytes, int from, int to);

  /**
   * Returns bytes, for the store, that every payload with the text contains; null if there are
   * none.
   */
  public abstract @Nullable ByteSearch required();
}
