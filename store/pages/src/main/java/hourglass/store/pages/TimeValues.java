package hourglass.store.pages;

import hourglass.bucketing.Ticks;
import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.bytes.CivilDate;
import hourglass.bytes.Decimals;
import hourglass.store.CorruptException;
import hourglass.store.pages.hashes.WordHash;
import hourglass.store.pages.runs.PageInput;
import hourglass.store.pages.runs.PageOutput;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Times of one style, such as {@code 2026-11-20T08:00:00.000331Z}, kept in 10^-digits seconds since
 * 1970. Not thread-safe: remembers the last second.
 *
 * <pre>
 *   digits (4 bits)   after the point, 0 to 9; none, no point
 *   space (1 bit)     stands for the T
 *   zone (2 bits)     0: Z   1: +00:00   2: nothing
 * </pre>
 */
final class TimeValues extends Values {
  static final int DIGITS_MAX = WordHash.FRACTION_DIGITS_MAX;
  static final int BYTES_MAX = 36;

  private static final int SPACE = 0x10;
  private static final int ZONE_SHIFT = 5;
  private static final byte[][] ZONES = {{'Z'}, {'+', '0', '0', ':', '0', '0'}, {}};

  private static final int SECOND_BYTES = 19;

  private static final int DATE_BYTES = 10;

  /**
   * The seconds until 2200-01-01. Nanoseconds until then fit into a long, and no row contains a
   * later time.
   */
  private static final long SECONDS_MAX = 7_258_118_400L;

  private final int digits;
  private final int style;
  private final byte separator;
  private final byte[] zone;
  private final long unitsPerSecond;

  // These two are of the last time that was written or read.
  private final byte[] text = new byte[Ticks.TEXT_BYTES];
  private long second = -1;

  private long[] numbers = new long[0];

  private TimeValues(int style) {
    this.style = style;
    digits = style & 0x0f;
    separator = (byte) ((style & SPACE) != 0 ? ' ' : 'T');
    zone = ZONES[style >> ZONE_SHIFT];
    unitsPerSecond = Decimals.power(digits);
  }

  /** Guesses the style from the field's first value; null if it is no such time. */
  static @Nullable TimeValues guess(Field field, byte[] bytes) {
    int from = field.start(0);
    int length = field.length(0);
    if (length < SECOND_BYTES || length > BYTES_MAX || bytes[from + 4] != '-') {
      return null;
    }
    int at = from + SECOND_BYTES;
    int digits = 0;
    if (at < field.end(0) && bytes[at] == '.') {
      at++;
      while (at + digits < field.end(0) && Decimals.isDigit(bytes[at + digits])) {
        digits++;
      }
    }
    int zone = zone(length - (at + digits - from));
    int space = bytes[from + DATE_BYTES] == ' ' ? SPACE : 0;
    return digits > DIGITS_MAX || zone < 0 ? null : new TimeValues(digits | space | zone);
  }

  private static int zone(int length) {
    for (int i = 0; i < ZONES.length; i++) {
      if (ZONES[i].length == length) {
        return i << ZONE_SHIFT;
      }
    }
    return -1;
  }

  static TimeValues read(PageInput in) {
    int style = in.getByte();
    if ((style & 0x0f) > DIGITS_MAX || style >> ZONE_SHIFT >= ZONES.length) {
      throw new CorruptException("page: times of style " + style + " are unknown");
    }
    return new TimeValues(style);
  }

  void describe(PageOutput description) {
    description.putByte(style);
  }

  int exponent() {
    return digits;
  }

  @Override
  void load(ValuesSource source, int count, Supplier<long[]> ticks) {
    numbers = source.numbersFromTimes(count, digits, ticks);
  }

  @Override
  void pass(ValuesSource source, int count) {
    source.passNumbers(count);
  }

  @Override
  boolean mayHave(ByteSearch text) {
    return text.length() <= length() && text.isOf("0123456789-:.+ TZ");
  }

  @Override
  long length() {
    return (long) SECOND_BYTES + (digits == 0 ? 0 : 1 + digits) + zone.length;
  }

  /** Parses all values of a field; false if a value is not exactly as this would write it. */
  boolean parse(Field field, byte[] bytes, long[] parsed) {
    long length = length();
    for (int i = 0; i < field.count(); i++) {
      if (field.length(i) != length) {
        return false;
      }
      long number = parse(bytes, field.start(i));
      if (number < 0) {
        return false;
      }
      parsed[i] = number;
    }
    return true;
  }

  private long parse(byte[] bytes, int from) {
    if (!ByteWords.equal(text, 0, bytes, from, SECOND_BYTES) && !parseSecond(bytes, from)) {
      return -1;
    }
    int at = from + SECOND_BYTES;
    long fraction = 0;
    if (digits > 0) {
      fraction = bytes[at] == '.' ? Decimals.read(bytes, at + 1, digits) : -1;
      at += 1 + digits;
    }
    for (int i = 0; i < zone.length; i++) {
      if (bytes[at + i] != zone[i]) {
        return -1;
      }
    }
    return fraction < 0 ? -1 : second * unitsPerSecond + fraction;
  }

  /** Parses and remembers date and time of day; false if they are none, or spelt otherwise. */
  private boolean parseSecond(byte[] bytes, int from) {
    long days;
    if (second >= 0 && ByteWords.equal(text, 0, bytes, from, DATE_BYTES)) {
      days = second / 86_400;
    } else {
      days =
          epochDay(
              Decimals.read(bytes, from, 4),
              Decimals.read(bytes, from + 5, 2),
              Decimals.read(bytes, from + 8, 2));
    }
    long hours = Decimals.read(bytes, from + 11, 2);
    long minutes = Decimals.read(bytes, from + 14, 2);
    long seconds = Decimals.read(bytes, from + 17, 2);
    long candidate = days * 86_400 + hours * 3_600 + minutes * 60 + seconds;
    if (days < 0 || (hours | minutes | seconds) < 0 || candidate >= SECONDS_MAX) {
      return false;
    }
    remember(candidate);
    return ByteWords.equal(text, 0, bytes, from, SECOND_BYTES);
  }

  /**
   * The days since 1970. If it is no date, the number may be any other, since the text will differ.
   */
  private static long epochDay(long year, long month, long day) {
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) {
      return -1;
    }
    return CivilDate.epochDay((int) year, (int) month, (int) day);
  }

  private void remember(long newSecond) {
    long secondOfMinute = newSecond % 60;
    if (second >= 0 && newSecond / 60 == second / 60) {
      Decimals.write(secondOfMinute, 2, text, SECOND_BYTES - 2);
    } else {
      Ticks.write(Ticks.UNIX_EPOCH + newSecond * Ticks.PER_SECOND, text, 0);
      text[DATE_BYTES] = separator;
    }
    second = newSecond;
  }

  @Override
  int write(byte[] out, int at, int end) {
    long number = numbers[next++];
    long fraction = number - second * unitsPerSecond;
    if (second < 0 || fraction < 0 || fraction >= unitsPerSecond) {
      long newSecond = number / unitsPerSecond;
      if (number < 0 || newSecond >= SECONDS_MAX) {
        throw new CorruptException("page: time: " + number + " is too early or too late");
      }
      remember(newSecond);
      fraction = number - newSecond * unitsPerSecond;
    }
    ByteWords.copy(text, 0, out, at, SECOND_BYTES);
    int next = at + SECOND_BYTES;
    if (digits > 0) {
      out[next] = '.';
      Decimals.write(fraction, digits, out, next + 1);
      next += 1 + digits;
    }
    for (byte b : zone) {
      out[next++] = b;
    }
    return next;
  }
}
