package hourglass.store.pages.hashes;

import static java.util.Objects.requireNonNull;

import hourglass.bytes.ByteWords;
import hourglass.bytes.JsonScan;
import hourglass.store.FieldValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Hashes a field's key and value, for {@link ValueFilter}. Numbers of one value have one hash, such
 * as 12.50 and 12.5.
 *
 * <pre>
 *   mix(x)          (x xor x >>> 29) * 0x9E3779B97F4A7C15
 *   text            its length; for every 8 bytes, zeros behind the last: mix(text xor bytes)
 *   number          mix(unscaled) + scale, without trailing zeros behind the point
 *   hash            mix(mix(text of the key + kind) xor (text or number))
 * </pre>
 */
public final class ValueHash {
  /** The hash of values that are in no filter, such as {@code true}. */
  public static final long NOTHING = 0;

  private static final int TEXT = 0;
  private static final int NUMBER = 1;
  private static final int OTHER = 2;
  private static final int SEVERAL_WORDS = 3;
  private static final int BY_WORDS = 4;
  private static final int WORD = 5;
  private static final int MARK = 6;

  /** The key of words and marks, which have none. */
  private static final long NO_KEY = 0;

  /** The most digits of a whole number: they cannot overflow a long. */
  public static final int WHOLE_DIGITS_MAX = 18;

  /**
   * The most digits of a fraction. Numbers with more are rounded in comparisons, and then equal
   * others.
   */
  private static final int FRACTION_DIGITS_MAX = 15;

  private ValueHash() {}

  public static long text(byte[] bytes, int from, int to) {
    long hash = (long) to - from;
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      hash = ByteWords.mix(hash ^ ByteWords.get(bytes, at));
    }
    return at < to ? ByteWords.mix(hash ^ ByteWords.head(bytes, at, to - at)) : hash;
  }

  /** The hash that stands for all values under the key that have no hash of their own. */
  public static long other(long key) {
    return of(key, OTHER, 0);
  }

  /**
   * The hash that stands for arrays, and for strings with a blank in addition to their own hashes.
   */
  public static long severalWords(long key) {
    return of(key, SEVERAL_WORDS, 0);
  }

  /**
   * The hash that stands for values under the key whose words are in the filter, in place of them.
   */
  public static long byWords(long key) {
    return of(key, BY_WORDS, 0);
  }

  /** The hash of a folded word under any key. */
  static long word(byte[] word, int from, int to) {
    return of(NO_KEY, WORD, text(word, from, to));
  }

  /** The hash that stands for words of a kind, which are in no filter one by one. */
  static long mark(int kind) {
    return of(NO_KEY, MARK, kind);
  }

  /** The hash of the string whose bytes are in {@code [from, to)}, without quotes. */
  public static long ofString(long key, byte[] bytes, int from, int to) {
    return JsonScan.hasEscape(bytes, from, to) ? other(key) : of(key, TEXT, text(bytes, from, to));
  }

  /** The hash of a number, {@code true}, {@code false} or {@code null}. */
  public static long ofScalar(long key, byte[] bytes, int from, int to) {
    boolean isNegative = bytes[from] == '-';
    if (!isNegative && (bytes[from] < '0' || bytes[from] > '9')) {
      return NOTHING;
    }
    long unscaled = 0;
    int digits = 0;
    int point = -1;
    for (int at = isNegative ? from + 1 : from; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit >= 0 && digit <= 9 && digits < WHOLE_DIGITS_MAX) {
        unscaled = unscaled * 10 + digit;
        digits++;
      } else if (bytes[at] == '.' && point < 0) {
        point = at;
      } else {
        return other(key);
      }
    }
    if (digits == 0 || point >= 0 && digits > FRACTION_DIGITS_MAX) {
      return other(key);
    }
    int scale = point < 0 ? 0 : to - point - 1;
    return ofNumber(key, isNegative ? -unscaled : unscaled, scale);
  }

  private static long ofNumber(long key, long unscaled, int scale) {
    long number = unscaled;
    int places = scale;
    while (places > 0 && number % 10 == 0) {
      number /= 10;
      places--;
    }
    return of(key, NUMBER, ByteWords.mix(number) + places);
  }

  static long of(FieldValue value) {
    long key = key(value);
    if (value.isSeveralWords()) {
      return severalWords(key);
    }
    String text = value.text();
    if (text != null) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return of(key, TEXT, text(bytes, 0, bytes.length));
    }
    BigDecimal number = requireNonNull(value.number()).stripTrailingZeros();
    if (number.scale() < 0) {
      number = number.setScale(0);
    }
    return number.precision() > WHOLE_DIGITS_MAX
        ? other(key)
        : ofNumber(key, number.unscaledValue().longValueExact(), number.scale());
  }

  static long key(FieldValue value) {
    byte[] bytes = value.key().getBytes(StandardCharsets.UTF_8);
    return text(bytes, 0, bytes.length);
  }

  private static long of(long key, int kind, long value) {
    return ByteWords.mix(ByteWords.mix(key + kind) ^ value);
  }
}
