package hourglass.query.where;

import hourglass.query.where.json.Effort;
import java.util.Arrays;

/**
 * Searches payloads for a text in any case, by Knuth, Morris and Pratt (1977) over folded
 * characters, so that no text takes long. Cases are those of simple case folding (Unicode, 5.18):
 * {@code ß} is not {@code ss}. Immutable.
 */
final class FoldedSearch extends PayloadSearch {
  /** The dotted capital and the dotless small i have no simple folding. */
  private static final int CAPITAL_I_DOTTED = 0x130;

  private static final int SMALL_I_DOTLESS = 0x131;

  private static final int[] ASCII = new int[128];

  static {
    Arrays.setAll(ASCII, FoldedSearch::fold);
  }

  /** Folded. */
  private final int[] wanted;

  /** How many characters remain matched if the one after {@code i} of them differs. */
  private final int[] shorter;

  FoldedSearch(String text) {
    wanted = text.codePoints().map(FoldedSearch::fold).toArray();
    shorter = new int[wanted.length];
    for (int i = 1, matched = 0; i < wanted.length; i++) {
      shorter[i] = matched;
      matched = matched(matched, wanted[i]);
    }
  }

  private static int fold(int character) {
    return character == CAPITAL_I_DOTTED || character == SMALL_I_DOTLESS
        ? character
        : Character.toLowerCase(Character.toUpperCase(character));
  }

  /** How many characters of the text match after one more. */
  private int matched(int before, int character) {
    int matched = before;
    while (matched > 0 && wanted[matched] != character) {
      matched = shorter[matched];
    }
    return wanted[matched] == character ? matched + 1 : 0;
  }

  @Override
  boolean isIn(byte[] bytes, int from, int to) {
    int matched = 0;
    int nextLook = from + BLOCK;
    int at = from;
    while (at < to) {
      byte first = bytes[at];
      int length = first >= 0 ? 1 : Math.min(length(first), to - at);
      matched = matched(matched, first >= 0 ? ASCII[first] : fold(character(bytes, at, length)));
      if (matched == wanted.length) {
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

  /** The bytes of a character beyond ASCII in UTF-8. */
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
