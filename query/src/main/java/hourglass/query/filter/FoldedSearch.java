package hourglass.query.filter;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.CaseFolding;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Searches payloads for a text in any case, by an {@link Automaton} over folded characters, so that
 * the time is linear for every text. Characters are compared by simple case folding (Unicode,
 * 5.18). Immutable.
 */
final class FoldedSearch extends PayloadSearch {
  private static final int[] ASCII = new int[128];

  static {
    Arrays.setAll(ASCII, CaseFolding::fold);
  }

  private static final Pattern OTHER = Pattern.compile("[^\\x00-\\x7f]+|[KkSs]+");

  private final String text;
  private final Automaton wanted;

  FoldedSearch(String text) {
    this.text = text;
    wanted = new Automaton(text.codePoints().map(CaseFolding::fold).toArray());
  }

  @Override
  public boolean isIn(byte[] bytes, int from, int to) {
    int matched = 0;
    int nextLook = from + BLOCK;
    int at = from;
    while (at < to) {
      byte first = bytes[at];
      int length = first >= 0 ? 1 : Math.min(length(first), to - at);
      matched =
          wanted.matched(
              matched, first >= 0 ? ASCII[first] : CaseFolding.fold(character(bytes, at, length)));
      if (matched == wanted.length()) {
        return true;
      }
      at += length;
      if (at >= nextLook) {
        Effort.current().look();
        nextLook = at + BLOCK;
      }
    }
    return false;
  }

  @Override
  public List<ByteSearch> required() {
    ByteSearch part = inEachCase(Stream.of(text));
    return part == null ? List.of() : List.of(part);
  }

  /**
   * Returns the longest part in ASCII, without {@code k} and {@code s}: a character beyond ASCII
   * folds to each of these, too, the sign of Kelvin and the long s. Null if there is no such part.
   */
  static @Nullable ByteSearch inEachCase(Stream<String> texts) {
    return texts
        .flatMap(OTHER::splitAsStream)
        .max(Comparator.comparingInt(String::length))
        .filter(part -> !part.isEmpty())
        .map(part -> new ByteSearch(part.getBytes(StandardCharsets.US_ASCII), true))
        .orElse(null);
  }

  /** The number of bytes in UTF-8 of a character beyond ASCII, by its first byte. */
  private static int length(byte first) {
    return first < (byte) 0xe0 ? 2 : first < (byte) 0xf0 ? 3 : 4;
  }

  private static int character(byte[] bytes, int at, int length) {
    int character = bytes[at] & (0x7f >> length);
    for (int i = 1; i < length; i++) {
      character = character << 6 | (bytes[at + i] & 0x3f);
    }
    return character;
  }
}
