package hourglass.query.filter;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.JsonTexts;
import hourglass.bytes.WordReader;
import hourglass.store.SoughtWord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Searches payloads for words, one directly after the other within one string, number, literal or
 * key, in any case. A {@code *} at the end of the last word stands for the rest of a longer word.
 *
 * <pre>
 *   connection ref*    connection refused, Connection-Refused: 5, not: disconnection refused
 * </pre>
 *
 * The words are found by the algorithm of Knuth, Morris and Pratt. Immutable.
 */
final class WordSearch extends PayloadSearch {
  /** The folded words; the last may be the beginning of one. */
  private final byte[][] words;

  private final boolean endsWithBeginning;

  /** The number of words that remain matched if, after {@code i} of them, the next one differs. */
  private final int[] shorter;

  /**
   * A part that every payload with the words contains, unless escapes spell characters by their
   * numbers; null if there is none.
   */
  private final @Nullable ByteSearch part;

  private WordSearch(
      byte[][] words, boolean endsWithBeginning, int[] shorter, @Nullable ByteSearch part) {
    this.words = words;
    this.endsWithBeginning = endsWithBeginning;
    this.shorter = shorter;
    this.part = part;
  }

  /** Returns a search for the words of a text; null if it has none. */
  static @Nullable WordSearch of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean hasStar = text.endsWith("*");
    int end = hasStar ? bytes.length - 1 : bytes.length;
    List<byte[]> found = new ArrayList<>();
    WordReader reader = new WordReader();
    int lastEnd = -1;
    for (reader.reset(bytes, 0, end, false); reader.next(); lastEnd = reader.end()) {
      found.add(Arrays.copyOf(reader.word(), reader.length()));
    }
    if (found.isEmpty()) {
      return null;
    }
    byte[][] words = found.toArray(new byte[0][]);
    ByteSearch part = FoldedSearch.inEachCase(found.stream().map(WordSearch::text));
    return new WordSearch(words, hasStar && lastEnd == end, shorter(words), part);
  }

  private static int[] shorter(byte[][] words) {
    int[] shorter = new int[words.length];
    for (int i = 1, matched = 0; i < words.length; i++) {
      shorter[i] = matched;
      while (matched > 0 && !Arrays.equals(words[matched], words[i])) {
        matched = shorter[matched];
      }
      matched = Arrays.equals(words[matched], words[i]) ? matched + 1 : 0;
    }
    return shorter;
  }

  private static String text(byte[] word) {
    return new String(word, StandardCharsets.UTF_8);
  }

  @Override
  public boolean isIn(byte[] bytes, int from, int to) {
    if (!mayBeIn(bytes, from, to)) {
      return false;
    }
    JsonTexts texts = new JsonTexts();
    Walk walk = new Walk(from);
    for (texts.reset(bytes, from, to); texts.next(); ) {
      if (walk.finds(bytes, texts.from(), texts.to(), texts.isString())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the words are in a text, which is no JSON. */
  boolean isInText(byte[] bytes, int from, int to) {
    return (part == null || part.find(bytes, from, to) >= 0)
        && new Walk(from).finds(bytes, from, to, false);
  }

  private boolean mayBeIn(byte[] bytes, int from, int to) {
    return part == null
        || find(part, bytes, from, to)
        || find(RequiredTexts.UNICODE_ESCAPE, bytes, from, to);
  }

  private final class Walk {
    private final WordReader reader = new WordReader();
    private int nextLook;

    Walk(int from) {
      nextLook = from + BLOCK;
    }

    boolean finds(byte[] bytes, int from, int to, boolean isString) {
      int matched = 0;
      for (reader.reset(bytes, from, to, isString); reader.next(); ) {
        matched = matched(matched, reader.word(), reader.length());
        if (matched == words.length) {
          return true;
        }
        if (reader.end() >= nextLook) {
          Effort.current().look();
          nextLook = reader.end() + BLOCK;
        }
      }
      return false;
    }
  }

  /** The number of words that match after one more word of the text; not all did before it. */
  private int matched(int before, byte[] word, int length) {
    int matched = before;
    while (matched > 0 && !isAt(matched, word, length)) {
      matched = shorter[matched];
    }
    return isAt(matched, word, length) ? matched + 1 : 0;
  }

  private boolean isAt(int i, byte[] word, int length) {
    byte[] wanted = words[i];
    boolean mayBeLonger = endsWithBeginning && i == words.length - 1;
    return (mayBeLonger ? length >= wanted.length : length == wanted.length)
        && Arrays.equals(word, 0, wanted.length, wanted, 0, wanted.length);
  }

  @Override
  public List<SoughtWord> words() {
    return IntStream.range(0, words.length)
        .mapToObj(i -> new SoughtWord(text(words[i]), endsWithBeginning && i == words.length - 1))
        .distinct()
        .toList();
  }

  @Override
  public List<ByteSearch> required() {
    return part == null ? List.of() : List.of(part, RequiredTexts.UNICODE_ESCAPE);
  }
}
