package hourglass.store.pages;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.bytes.Hex;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.PageInput;
import hourglass.store.pages.runs.PageOutput;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hexadecimal numbers of one style and length: traces, digests, UUIDs.
 *
 * <pre>
 *   digits (1)   1 to 64; each 16 of them, from the first on, are a number
 *   style (1)    1: A to F, else a to f    2: dashes as in a UUID
 * </pre>
 */
final class HexValues extends Values {
  static final int DIGITS_MAX = 64;
  static final int UPPER = 1;
  static final int UUID = 2;
  static final int NUMBER_DIGITS = 16;

  /** The digits of a UUID before its first dash and after its last. */
  static final int UUID_FIRST = 8;

  static final int UUID_LAST = 12;

  private static final int UUID_DIGITS = 32;
  private static final int UUID_DASHES = 4;

  private static final byte[] LOWER_VALUES = values("0123456789abcdef");
  private static final byte[] UPPER_VALUES = values("0123456789ABCDEF");

  private final int digits;

  /** The sum of {@link #UPPER} and {@link #UUID}. */
  private final int style;

  private final long[][] numbers;

  private HexValues(int digits, int style) {
    this.digits = digits;
    this.style = style;
    numbers = new long[(digits + NUMBER_DIGITS - 1) / NUMBER_DIGITS][];
  }

  private static byte[] values(String digits) {
    byte[] values = new byte[256];
    Arrays.fill(values, (byte) -1);
    for (int i = 0; i < digits.length(); i++) {
      values[digits.charAt(i)] = (byte) i;
    }
    return values;
  }

  /** Guesses the style from the field's first value; null if it is no such number. */
  static @Nullable HexValues guess(Field field, byte[] bytes) {
    int length = field.length(0);
    int style = 0;
    if (length == UUID_DIGITS + UUID_DASHES && bytes[field.start(0) + 8] == '-') {
      style = UUID;
      length = UUID_DIGITS;
    }
    for (int at = field.start(0); at < field.end(0); at++) {
      if (bytes[at] >= 'A' && bytes[at] <= 'F') {
        style |= UPPER;
      }
    }
    return length < 1 || length > DIGITS_MAX ? null : new HexValues(length, style);
  }

  boolean areUuids() {
    return style >= UUID;
  }

  /** The count of numbers in a value. */
  int numbers() {
    return numbers.length;
  }

  @Override
  void load(ValuesSource source, int count, Supplier<long[]> ticks) {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = source.numbers(count);
    }
  }

  @Override
  void pass(ValuesSource source, int count) {
    for (int i = 0; i < numbers.length; i++) {
      source.passNumbers(count);
    }
  }

  @Override
  boolean mayHave(ByteSearch text) {
    return text.length() <= length()
        && text.isOf((style & UPPER) != 0 ? "0123456789ABCDEF-" : "0123456789abcdef-");
  }

  @Override
  long length() {
    return style >= UUID ? digits + UUID_DASHES : digits;
  }

  /** Parses number {@code n} of all values; false if a value has another style. */
  boolean parse(Field field, byte[] bytes, int n, long[] parsed) {
    long length = length();
    for (int i = 0; i < field.count(); i++) {
      if (field.length(i) != length || !parse(bytes, field.start(i), n, i, parsed)) {
        return false;
      }
    }
    return true;
  }

  private boolean parse(byte[] bytes, int from, int n, int i, long[] parsed) {
    byte[] values = (style & UPPER) != 0 ? UPPER_VALUES : LOWER_VALUES;
    int first = n * NUMBER_DIGITS;
    int end = Math.min(digits, first + NUMBER_DIGITS);
    int at = from + position(first);
    long number = 0;
    int bad = 0;
    for (int digit = first; digit < end; digit++) {
      if (dashBefore(digit)) {
        bad |= bytes[at - 1] ^ '-';
      }
      int value = values[bytes[at] & 0xff];
      bad |= value & 0x80;
      number = number << 4 | value;
      at += dashBefore(digit + 1) ? 2 : 1;
    }
    parsed[i] = number;
    return bad == 0;
  }

  /** Parses the numbers of a text; null if it has another style. */
  long @Nullable [] parse(byte[] text) {
    long[] parsed = new long[numbers.length];
    boolean known = text.length == length();
    for (int n = 0; n < parsed.length && known; n++) {
      known = parse(text, 0, n, n, parsed);
    }
    return known ? parsed : null;
  }

  /** Whether the next value has these numbers. The value stays the next one. */
  boolean isNext(long[] wanted) {
    for (int n = 0; n < wanted.length; n++) {
      if (numbers[n][next] != wanted[n]) {
        return false;
      }
    }
    return true;
  }

  private boolean dashBefore(int digit) {
    return style >= UUID && (digit == 8 || digit == 12 || digit == 16 || digit == 20);
  }

  private int position(int digit) {
    int dashes = 0;
    for (int i = 0; i <= digit; i++) {
      dashes += dashBefore(i) ? 1 : 0;
    }
    return digit + dashes;
  }

  static HexValues read(PageInput in) {
    int digits = in.getByte();
    int style = in.getByte();
    boolean known = style <= (UPPER | UUID) && (style < UUID || digits == UUID_DIGITS);
    if (digits < 1 || digits > DIGITS_MAX || !known) {
      throw new CorruptException("page: hexadecimals of " + digits + " digits, style " + style);
    }
    return new HexValues(digits, style);
  }

  void describe(PageOutput description) {
    description.putByte(digits);
    description.putByte(style);
  }

  /** Writes the next value. It may write 8 bytes beyond the returned position. */
  @Override
  int write(byte[] out, int at, int end) {
    int i = next++;
    if (style >= UUID) {
      return writeUuid(numbers[0][i], numbers[1][i], out, at);
    }
    int to = at;
    for (int n = 0, left = digits; left > 0; n++, left -= NUMBER_DIGITS) {
      int count = Math.min(left, NUMBER_DIGITS);
      write(numbers[n][i], count, out, to);
      to += count;
    }
    return to;
  }

  private void write(long number, int count, byte[] out, int at) {
    if (count <= Long.BYTES) {
      ByteWords.set(out, at, word(number) >>> (Long.BYTES - count) * Byte.SIZE);
    } else {
      write(number >>> Integer.SIZE, count - Long.BYTES, out, at);
      ByteWords.set(out, at + count - Long.BYTES, word(number));
    }
  }

  private int writeUuid(long high, long low, byte[] out, int at) {
    write(high >>> 32, 8, out, at);
    write(high >>> 16, 4, out, at + 9);
    write(high, 4, out, at + 14);
    write(low >>> 48, 4, out, at + 19);
    write(low, 12, out, at + 24);
    out[at + 8] = '-';
    out[at + 13] = '-';
    out[at + 18] = '-';
    out[at + 23] = '-';
    return at + UUID_DIGITS + UUID_DASHES;
  }

  /** The digits of the lower half of a number, the first digit in the lowest byte. */
  private long word(long number) {
    int bits = (int) number;
    return Long.reverseBytes((style & UPPER) != 0 ? Hex.eightUpper(bits) : Hex.eight(bits));
  }
}
