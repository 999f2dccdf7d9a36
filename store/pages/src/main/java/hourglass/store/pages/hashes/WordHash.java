package hourglass.store.pages.hashes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of words in a filter or index of pages, and of the marks that stand for words which
 * pages do not record one by one. An index of pages knows which kinds of marks they have.
 *
 * <pre>
 *   LEFT_OUT         any word: the page has too many
 *   ESCAPES          a backslash in a payload
 *   UNICODE_ESCAPES  the same before a u, so that a character may be spelled by its number
 *   UUIDS            the four digits between the dashes of UUIDs
 *   DIGITS + n       up to 2^n digits of a number
 *   TIMES            the year, month, day and so on of a time
 *   FRACTIONS + n    n digits of a second, or these and a z
 *   HEX + n          up to 2^n - 1 hexadecimal digits inside of a longer word
 *   IDS              a word that is an id as a whole, see {@link WordForm}
 *   LONG_WORDS       a word whose form is too long for a dictionary
 * </pre>
 */
public final class WordHash {
  public static final int LEFT_OUT = 1;
  static final int ESCAPES = 2;
  public static final int UUIDS = 3;
  public static final int TIMES = 4;
  static final int UNICODE_ESCAPES = 5;
  static final int IDS = 6;
  static final int LONG_WORDS = 7;

  private static final int DIGITS = 16;
  private static final int DIGITS_LOG_MAX = 5;
  private static final int FRACTIONS = 32;
  private static final int HEX = 48;
  private static final int HEX_LOG_MAX = 7;

  /** The least hexadecimal digits that are sought inside of words. */
  static final int HEX_MIN = 8;

  /** The most digits of a second in times. */
  public static final int FRACTION_DIGITS_MAX = 9;

  private static final int UUID_PART = 4;
  private static final int YEAR = 4;
  private static final int MONTH = 2;

  /** The length of a day, a T and an hour. */
  private static final int DAY_AND_HOUR = 5;

  /** The number of kinds, so that a long has a bit for each. */
  private static final int KINDS = Long.SIZE;

  private static final long[] MARKS = new long[KINDS];
  private static final Map<Long, Integer> KIND_OF_MARK = new HashMap<>();

  /** A table, since comparisons with the digits of ids are predicted badly. */
  private static final boolean[] IS_HEX = new boolean[256];

  static {
    for (char digit : "0123456789abcdef".toCharArray()) {
      IS_HEX[digit] = true;
    }
    for (int kind = 0; kind < KINDS; kind++) {
      MARKS[kind] = ValueHash.mark(kind);
      KIND_OF_MARK.put(MARKS[kind], kind);
    }
  }

  private WordHash() {}

  /** Returns the hash of a mark of a kind. */
  static long mark(int kind) {
    return MARKS[kind];
  }

  /** Whether a hash is that of a mark which is not among those of a set. */
  static boolean isAbsentMark(long hash, long marks) {
    Integer kind = KIND_OF_MARK.get(hash);
    return kind != null && (marks >>> kind & 1) == 0;
  }

  /** The kind of the mark for numbers of up to so many digits. */
  public static int digits(int most) {
    return DIGITS + Math.min(DIGITS_LOG_MAX, log(most));
  }

  /** Returns the least power of two that is no less. */
  private static int log(int number) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, number) - 1);
  }

  /** The kind of the mark for times with so many digits of a second. */
  public static int fractions(int digits) {
    return FRACTIONS + digits;
  }

  /**
   * The kind of the mark for so many hexadecimal digits inside of a longer word, from {@link
   * #HEX_MIN} on.
   */
  static int hex(int digits) {
    return HEX + Math.min(HEX_LOG_MAX, log(digits + 1));
  }

  /**
   * Returns the most hexadecimal digits in a row that a word contains besides others: one less than
   * it has if it has no others.
   */
  static int hexInside(byte[] word, int from, int to) {
    int most = 0;
    int run = 0;
    for (int at = from; at < to; at++) {
      run = isHex(word[at]) ? run + 1 : 0;
      most = Math.max(most, run);
    }
    return most == to - from ? most - 1 : most;
  }

  static boolean isHex(byte b) {
    return IS_HEX[b & 0xff];
  }

  /**
   * Returns the hashes of words that contain a part. Every page with such a word has one of them;
   * null if they are unknown.
   */
  static @Nullable List<Long> ofPart(byte[] part, int from, int to) {
    int length = to - from;
    if (length < HEX_MIN || !areHex(part, from, to)) {
      return null;
    }
    List<Long> all = alternatives(part, from, to);
    for (int n = Math.min(HEX_LOG_MAX, log(length + 1)); n <= HEX_LOG_MAX; n++) {
      all.add(mark(HEX + n));
    }
    for (int digits = length; digits <= FRACTION_DIGITS_MAX; digits++) {
      all.add(mark(fractions(digits)));
    }
    return all;
  }

  /**
   * Returns the hashes of a word that stands for a value. A page with the value has one of them.
   */
  static List<Long> ofValue(byte[] word, int from, int to) {
    long hash = ValueHash.word(word, from, to);
    return isUuidPart(word, from, to) ? List.of(hash, mark(UUIDS)) : List.of(hash);
  }

  /**
   * Returns the hashes of a folded word. Every page with the word has one of them.
   *
   * @param from the first byte of the word
   * @param to the byte after it
   */
  static List<Long> alternatives(byte[] word, int from, int to) {
    List<Long> all = new ArrayList<>(List.of(ValueHash.word(word, from, to), mark(LEFT_OUT)));
    int length = to - from;
    int digits = 0;
    while (digits < length && word[from + digits] >= '0' && word[from + digits] <= '9') {
      digits++;
    }
    boolean endsWithZone = digits > 0 && digits == length - 1 && word[to - 1] == 'z';
    if (digits == length) {
      addDigits(length, all);
    }
    if (digits == length || endsWithZone) {
      if (digits <= FRACTION_DIGITS_MAX) {
        all.add(mark(fractions(digits)));
      }
      if (digits == MONTH || digits == YEAR) {
        all.add(mark(TIMES));
      }
    } else if (length == DAY_AND_HOUR && digits == MONTH && word[from + digits] == 't') {
      all.add(mark(TIMES));
    }
    if (isUuidPart(word, from, to)) {
      all.add(mark(UUIDS));
    }
    return all;
  }

  private static boolean isUuidPart(byte[] word, int from, int to) {
    return to - from == UUID_PART && areHex(word, from, to);
  }

  static boolean areHex(byte[] word, int from, int to) {
    int at = from;
    while (at < to && isHex(word[at])) {
      at++;
    }
    return at == to;
  }

  /**
   * Returns the hashes that stand for words which are in no dictionary and may contain a part.
   * Every page with a word that contains it has one of them, or that of a listed word.
   */
  static List<Long> unlisted(byte[] part) {
    List<Long> all = new ArrayList<>(List.of(mark(LEFT_OUT), mark(LONG_WORDS)));
    int length = part.length;
    if (areHex(part, 0, length)) {
      all.add(mark(IDS));
      if (length <= UUID_PART) {
        all.add(mark(UUIDS));
      }
    }
    boolean areDigits = true;
    boolean areOfTime = true;
    for (byte b : part) {
      boolean isDigit = b >= '0' && b <= '9';
      areDigits &= isDigit;
      areOfTime &= isDigit || b == 't' || b == 'z';
    }
    if (areDigits) {
      addDigits(length, all);
    }
    if (areOfTime) {
      all.add(mark(TIMES));
      for (int n = 0; n <= FRACTION_DIGITS_MAX; n++) {
        all.add(mark(fractions(n)));
      }
    }
    return all;
  }

  private static void addDigits(int least, List<Long> all) {
    for (int n = Math.min(DIGITS_LOG_MAX, log(least)); n <= DIGITS_LOG_MAX; n++) {
      all.add(mark(DIGITS + n));
    }
  }
}
