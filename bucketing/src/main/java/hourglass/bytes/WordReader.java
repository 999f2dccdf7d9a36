package hourglass.bytes;

import java.lang.Character.UnicodeScript;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Cuts a text into words, and folds their case.
 *
 * <pre>
 *   GET /api/orders/17?x=Zürich     get, api, orders, 17, x, zürich
 *   user_id=4bf92f35-77b3           user_id, 4bf92f35, 77b3
 *   接続 refused                     接, 続, refused
 * </pre>
 *
 * Words are runs of letters, decimal digits and underscores in any script, as {@code \w} of
 * Unicode's regular expressions has them (UTS 18). Combining marks and joiners belong to the word
 * that they follow. Scripts that leave no blanks between words have a word for each letter, as in
 * the default rules of UAX 29. Everything else separates words, malformed UTF-8 as well. Not
 * thread-safe; reused.
 */
public final class WordReader {
  /** The folded bytes of the ASCII characters that belong to words; 0 for the others. */
  private static final byte[] FOLDED = new byte[128];

  private static final byte UNKNOWN = 0;
  private static final byte SEPARATOR = 1;
  private static final byte LETTER = 2;

  /** A character that continues a word and begins none. */
  private static final byte MARK = 3;

  /** A letter that is a word, with the marks that follow it. */
  private static final byte WORD = 4;

  private static final int ZERO_WIDTH_NON_JOINER = 0x200c;
  private static final int ZERO_WIDTH_JOINER = 0x200d;

  /** The scripts without blanks between words. Ideographs are asked for by another property. */
  private static final Set<UnicodeScript> WITHOUT_BLANKS =
      EnumSet.of(
          UnicodeScript.HIRAGANA,
          UnicodeScript.THAI,
          UnicodeScript.LAO,
          UnicodeScript.KHMER,
          UnicodeScript.MYANMAR);

  /** The kinds of the characters up to U+FFFF, once they were asked for. */
  private static final byte[] KINDS = new byte[Character.MIN_SUPPLEMENTARY_CODE_POINT];

  private static final int NO_CHARACTER = -1;
  private static final int ESCAPE_DIGITS = 4;

  static {
    for (int c = 0; c < FOLDED.length; c++) {
      boolean isOfWords = Character.isLetterOrDigit(c) || c == '_';
      FOLDED[c] = isOfWords ? (byte) CaseFolding.fold(c) : 0;
    }
  }

  private byte[] bytes = {};
  private int at;
  private int to;
  private boolean hasEscapes;
  private int start;

  /** The position after the character that was read last. */
  private int next;

  private byte[] word = new byte[64];
  private int length;

  /** The end of a text and room after it, for the last character. */
  private final byte[] last = new byte[2 * Integer.BYTES];

  /**
   * Begins with the text in {@code [from, textEnd)}.
   *
   * @param isString whether it is the text of a JSON string, whose escapes stand for characters
   */
  public void reset(byte[] text, int from, int textEnd, boolean isString) {
    bytes = text;
    at = from;
    to = textEnd;
    hasEscapes = isString;
  }

  /** Reads the next word; false if there is none. */
  public boolean next() {
    length = 0;
    start = at;
    while (at < to) {
      byte b = bytes[at];
      if (b < 0 || b == '\\' && hasEscapes) {
        if (endsAtOther()) {
          return true;
        }
      } else if (FOLDED[b] != 0) {
        put(FOLDED[b]);
        at++;
      } else if (length > 0) {
        return true;
      } else {
        start = ++at;
      }
    }
    return length > 0;
  }

  /** Reads a character that is not plain ASCII; true if the word ends, before it or after it. */
  private boolean endsAtOther() {
    int character = character();
    switch (character == NO_CHARACTER ? SEPARATOR : kind(character)) {
      case LETTER -> putFolded(character);
      case MARK -> {
        if (length > 0) {
          putFolded(character);
        }
      }
      case WORD -> {
        if (length > 0) {
          return true;
        }
        putFolded(character);
        at = next;
        readMarks();
        return true;
      }
      default -> {
        if (length > 0) {
          return true;
        }
      }
    }
    at = next;
    start = length == 0 ? at : start;
    return false;
  }

  private void readMarks() {
    while (at < to && (bytes[at] < 0 || bytes[at] == '\\' && hasEscapes)) {
      int character = character();
      if (character == NO_CHARACTER || kind(character) != MARK) {
        return;
      }
      putFolded(character);
      at = next;
    }
  }

  /** Decodes the character at {@code at}, and sets the position after it. */
  private int character() {
    if (bytes[at] == '\\') {
      return escaped();
    }
    int size = sequence();
    next = at + Math.max(1, size);
    if (size == 0) {
      return NO_CHARACTER;
    }
    int character = bytes[at] & 0x7f >> size;
    for (int i = 1; i < size; i++) {
      character = character << 6 | bytes[at + i] & 0x3f;
    }
    return character;
  }

  private int sequence() {
    if (to - at >= Integer.BYTES) {
      return Utf8.sequence(bytes, at);
    }
    Arrays.fill(last, (byte) 0);
    System.arraycopy(bytes, at, last, 0, to - at);
    return Utf8.sequence(last, 0);
  }

  /** Decodes an escape. Half a surrogate pair is no character. */
  private int escaped() {
    if (at + 1 == to) {
      next = to;
      return NO_CHARACTER;
    }
    if (bytes[at + 1] != 'u') {
      next = at + 2;
      return bytes[at + 1] < 0 ? NO_CHARACTER : JsonString.unescaped((char) bytes[at + 1]);
    }
    if (!isUnicodeEscape(at)) {
      next = at + 2;
      return NO_CHARACTER;
    }
    char unit = JsonString.unicode(bytes, at + 2);
    next = at + 2 + ESCAPE_DIGITS;
    if (!Character.isSurrogate(unit)) {
      return unit;
    }
    if (Character.isHighSurrogate(unit) && isUnicodeEscape(next)) {
      char low = JsonString.unicode(bytes, next + 2);
      if (Character.isLowSurrogate(low)) {
        next += 2 + ESCAPE_DIGITS;
        return Character.toCodePoint(unit, low);
      }
    }
    return NO_CHARACTER;
  }

  private boolean isUnicodeEscape(int from) {
    if (to - from < 2 + ESCAPE_DIGITS || bytes[from] != '\\' || bytes[from + 1] != 'u') {
      return false;
    }
    for (int i = from + 2; i < from + 2 + ESCAPE_DIGITS; i++) {
      if (Character.digit(bytes[i], 16) < 0) {
        return false;
      }
    }
    return true;
  }

  private static byte kind(int character) {
    if (character >= KINDS.length) {
      return kindOf(character);
    }
    byte kind = KINDS[character];
    if (kind == UNKNOWN) {
      kind = kindOf(character);
      KINDS[character] = kind; // each thread would write the same
    }
    return kind;
  }

  private static byte kindOf(int character) {
    return switch (Character.getType(character)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          MARK;
      case Character.DECIMAL_DIGIT_NUMBER -> LETTER;
      default -> {
        if (character == ZERO_WIDTH_JOINER || character == ZERO_WIDTH_NON_JOINER) {
          yield MARK;
        }
        if (character == '_') {
          yield LETTER;
        }
        if (!Character.isAlphabetic(character)) {
          yield SEPARATOR;
        }
        yield Character.isIdeographic(character)
                || WITHOUT_BLANKS.contains(UnicodeScript.of(character))
            ? WORD
            : LETTER;
      }
    };
  }

  private void putFolded(int character) {
    int folded = CaseFolding.fold(character);
    if (folded < 0x80) {
      put((byte) folded);
    } else if (folded < 0x800) {
      put((byte) (0xc0 | folded >> 6));
      putRest(folded, 0);
    } else if (folded < Character.MIN_SUPPLEMENTARY_CODE_POINT) {
      put((byte) (0xe0 | folded >> 12));
      putRest(folded, 6);
    } else {
      put((byte) (0xf0 | folded >> 18));
      putRest(folded, 12);
    }
  }

  private void putRest(int folded, int highest) {
    for (int shift = highest; shift >= 0; shift -= 6) {
      put((byte) (0x80 | folded >> shift & 0x3f));
    }
  }

  private void put(byte b) {
    if (length == word.length) {
      word = Arrays.copyOf(word, 2 * length);
    }
    word[length++] = b;
  }

  /** Returns the array that begins with the folded word, in UTF-8; valid until the next word. */
  public byte[] word() {
    return word;
  }

  /** Returns the length of the folded word in bytes. */
  public int length() {
    return length;
  }

  /** Returns the position of the word in the text. */
  public int start() {
    return start;
  }

  /** Returns the position in the text after the word. */
  public int end() {
    return at;
  }
}
