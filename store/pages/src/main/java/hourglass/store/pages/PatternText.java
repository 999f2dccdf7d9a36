package hourglass.store.pages;

import hourglass.bytes.Decimals;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageOutput;
import java.util.Arrays;

/**
 * Texts that differ in numbers and little else, such as paths, addresses and messages. Not
 * thread-safe; reused.
 *
 * <pre>
 *   /api/orders/47    pattern  /api/orders/#    number 0   47
 *   10.164.94.120              #.#.#.#                     10, 164, 94, 120
 * </pre>
 *
 * In a pattern, a byte of 0 represents a number without leading zeros.
 */
final class PatternText {
  static final int NUMBERS_MAX = 8;

  /** The longest text that is parsed; longer texts are seldom alike. */
  private static final int BYTES_MAX = 256;

  private final Dictionary patterns = new Dictionary();
  private final byte[] pattern = new byte[BYTES_MAX];
  private final long[][] numbers = new long[NUMBERS_MAX][0];
  private final int[] counts = new int[NUMBERS_MAX];
  private byte[] indexes = new byte[0];

  boolean parse(Field field, byte[] bytes) {
    patterns.clear();
    int count = field.count();
    indexes = CompressedBytes.room(indexes, count);
    Arrays.fill(counts, 0);
    for (int i = 0; i < count; i++) {
      int index = parse(bytes, field.start(i), field.end(i), count);
      if (index < 0) {
        return false;
      }
      indexes[i] = (byte) index;
    }
    return counts[0] > 0 && patterns.entries() * ColumnsLayout.VALUES_PER_ENTRY_MIN <= count;
  }

  private int parse(byte[] bytes, int from, int to, int count) {
    if (to - from > BYTES_MAX) {
      return -1;
    }
    int length = 0;
    int n = 0;
    for (int at = from; at < to; ) {
      byte b = bytes[at];
      if (b == 0) {
        return -1;
      }
      if (b > '0' && b <= '9' && n < NUMBERS_MAX) {
        at = parseNumber(bytes, at, to, n++, count);
        b = 0;
      } else {
        at++;
      }
      pattern[length++] = b;
    }
    return patterns.find(pattern, 0, length);
  }

  private int parseNumber(byte[] bytes, int from, int to, int n, int count) {
    long value = 0;
    int at = from;
    for (int end = Math.min(to, from + Decimals.DIGITS_MAX); at < end; at++) {
      int digit = bytes[at] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      value = value * 10 + digit;
    }
    if (numbers[n].length < count) {
      numbers[n] = new long[count];
    }
    numbers[n][counts[n]++] = value;
    return at;
  }

  Dictionary patterns() {
    return patterns;
  }

  /** The most numbers of any text. */
  int numbersMax() {
    int most = 0;
    while (most < NUMBERS_MAX && counts[most] > 0) {
      most++;
    }
    return most;
  }

  void write(CompressedBytes frames, NumberRuns numbersWriter, int count, PageOutput data) {
    Indexes.write(indexes, count, patterns.entries(), frames, data);
    for (int n = 0; n < NUMBERS_MAX; n++) {
      numbersWriter.write(numbers[n], counts[n], data);
    }
  }
}
