package hourglass.query.filter;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.Json;
import hourglass.store.Columns;
import hourglass.store.SoughtWord;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Searches payloads for a text. Immutable. */
public abstract sealed class PayloadSearch permits TextSearch, FoldedSearch, WordSearch {
  /** The number of bytes between two checks for the client: some milliseconds at most. */
  static final int BLOCK = Effort.LONG_BYTES;

  PayloadSearch() {}

  /**
   * Searches for a text of at least one character; {@code ignoreCase} compares folded characters.
   */
  public static PayloadSearch of(String text, boolean ignoreCase) {
    return ignoreCase ? new FoldedSearch(text) : new TextSearch(text);
  }

  /**
   * Searches for the words of a text, one after the other and in any case; without a word, for the
   * text as JSON spells it. The text has at least one character.
   */
  public static PayloadSearch ofWords(String text) {
    WordSearch words = WordSearch.of(text);
    return words == null ? new FoldedSearch(Json.escaped(text)) : words;
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
   * Returns bytes, for the store: every payload with the text contains one of them. Empty if there
   * are none.
   */
  public abstract List<ByteSearch> required();

  /** Returns words, for the store: every payload with the text contains each of them. */
  public List<SoughtWord> words() {
    return List.of();
  }

  /**
   * Returns a search for the longest of several parts; null if all are empty. Where it ignores
   * case, it is for a part of one that has no other spelling than in ASCII.
   */
  public static @Nullable ByteSearch longest(Stream<String> parts, boolean ignoreCase) {
    return ignoreCase
        ? FoldedSearch.inEachCase(parts)
        : parts
            .max(Comparator.comparingInt(String::length))
            .filter(part -> !part.isEmpty())
            .map(part -> new ByteSearch(part.getBytes(StandardCharsets.UTF_8), false))
            .orElse(null);
  }

  /** Whether bytes contain a text, within the current {@link Effort}. */
  static boolean find(ByteSearch text, byte[] bytes, int from, int to) {
    int at = from;
    for (; to - at > BLOCK; at += BLOCK) {
      if (text.find(bytes, at, Math.min(to, at + BLOCK + text.length() - 1)) >= 0) {
        return true;
      }
      Effort.current().look();
    }
    return text.find(bytes, at, to) >= 0;
  }
}
