package hourglass.store.pages;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.Decimals;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.PageInput;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;

/** Texts that differ in numbers and little else; see {@link PatternText}. */
final class PatternValues extends Values {
  private final Entries entries;

  /**
   * The starts of each pattern's pieces, and the end of the last plus 1, once patterns are read.
   */
  private int[][] pieces = {};

  private final long[][] numbers = new long[PatternText.NUMBERS_MAX][];
  private final int[] nextNumber = new int[PatternText.NUMBERS_MAX];
  private byte[] patterns = new byte[0];

  /** The most numbers of one pattern. */
  private final int numbersMax;

  /** The fewest numbers of one pattern, once patterns are read. */
  private int numbersMin = PatternText.NUMBERS_MAX;

  PatternValues(Entries entries, int numbersMax) {
    this.entries = entries;
    this.numbersMax = numbersMax;
  }

  static PatternValues apart(PageInput description) {
    Entries entries = Entries.apart(description);
    int numbersMax = description.getCountFrom1("numbers", PatternText.NUMBERS_MAX);
    return new PatternValues(entries, numbersMax);
  }

  static PatternValues inside(Entries entries) {
    int numbersMax = 0;
    for (int p = 0; p < entries.count(); p++) {
      int numbers = 0;
      for (int at = entries.starts[p]; at < entries.end(p); at++) {
        numbers += entries.bytes[at] == 0 ? 1 : 0;
      }
      numbersMax = Math.max(numbersMax, numbers);
    }
    return new PatternValues(entries, numbersMax);
  }

  @Override
  int passEntries(PageInput in, CompressedBytes frames, int bytesMax) {
    return entries.pass(in, frames, bytesMax);
  }

  private void readPatterns() {
    if (pieces.length > 0) {
      return;
    }
    entries.read();
    pieces = new int[entries.count()][];
    int most = 0;
    for (int p = 0; p < pieces.length; p++) {
      pieces[p] = pieces(entries.starts[p], entries.lengths[p]);
      numbersMin = Math.min(numbersMin, numbersOf(p));
      most = Math.max(most, numbersOf(p));
    }
    if (most != numbersMax) {
      throw new CorruptException("page: patterns of " + most + " numbers, not " + numbersMax);
    }
  }

  private int[] pieces(int from, int length) {
    int[] starts = new int[PatternText.NUMBERS_MAX + 2];
    int count = 0;
    starts[0] = from;
    for (int at = from; at < from + length; at++) {
      if (entries.bytes[at] == 0) {
        count++;
        if (count <= PatternText.NUMBERS_MAX) {
          starts[count] = at + 1;
        }
      }
    }
    if (count > PatternText.NUMBERS_MAX) {
      throw new CorruptException("page: a pattern of " + count + " numbers");
    }
    starts[count + 1] = from + length + 1;
    return Arrays.copyOf(starts, count + 2);
  }

  /**
   * Whether values of each pattern may contain the text. The text and the patterns are compared
   * with each run of digits and numbers as one byte of 0.
   */
  private boolean[] mayHaveOf(ByteSearch text) {
    readPatterns();
    ByteSearch wanted = text.of(withoutDigits(text.text()));
    boolean[] those = new boolean[pieces.length];
    for (int p = 0; p < those.length; p++) {
      int[] starts = pieces[p];
      byte[] pattern =
          withoutDigits(
              Arrays.copyOfRange(entries.bytes, starts[0], starts[starts.length - 1] - 1));
      those[p] = wanted.find(pattern, 0, pattern.length) >= 0;
    }
    return those;
  }

  private static byte[] withoutDigits(byte[] bytes) {
    byte[] out = new byte[bytes.length];
    int length = 0;
    for (byte b : bytes) {
      boolean isNumber = b == 0 || Decimals.isDigit(b);
      if (!isNumber || length == 0 || out[length - 1] != 0) {
        out[length++] = isNumber ? 0 : b;
      }
    }
    return Arrays.copyOf(out, length);
  }

  @Override
  boolean mayHave(ByteSearch text) {
    for (boolean may : mayHaveOf(text)) {
      if (may) {
        return true;
      }
    }
    return false;
  }

  @Override
  BitSet having(ByteSearch text, int count, byte[] room, int end) {
    boolean[] those = mayHaveOf(text);
    boolean isSure = Arrays.equals(withoutDigits(text.text()), text.text());
    BitSet having = new BitSet(count);
    for (int i = 0; i < count; i++) {
      boolean may = those[patterns[i] & 0xff];
      if (may && !isSure) {
        having.set(i, nextHas(text, room, end));
      } else {
        having.set(i, may);
        skip(1);
      }
    }
    rewind();
    return having;
  }

  @Override
  void load(ValuesSource source, int count, Supplier<long[]> ticks) {
    readPatterns();
    int[] counts = countsOf(source, count);
    for (int n = 0; n < counts.length; n++) {
      ValuesSource some = counts[n] == count ? source : source.forAll();
      numbers[n] = some.numbers(counts[n]);
      some.check(numbers[n], 0);
    }
  }

  @Override
  void pass(ValuesSource source, int count) {
    source.passIndexes(count, entries.count());
    for (int n = 0; n < numbersMax; n++) {
      source.passNumbers(count); // a pattern has values, and so there are such numbers
    }
  }

  /**
   * Reads the pattern of each value. Returns the count of values that have a first number, a second
   * one, and so on.
   */
  private int[] countsOf(ValuesSource source, int count) {
    patterns = source.indexes(count, pieces.length);
    int[] valuesOf = new int[Dictionary.ENTRIES_MAX];
    for (byte pattern : patterns) {
      valuesOf[pattern & 0xff]++;
    }
    int[] counts = new int[PatternText.NUMBERS_MAX];
    for (int p = 0; p < pieces.length; p++) {
      for (int n = numbersOf(p) - 1; n >= 0; n--) {
        counts[n] += valuesOf[p];
      }
    }
    return counts;
  }

  private int numbersOf(int pattern) {
    return pieces[pattern].length - 2;
  }

  @Override
  void skip(int count) {
    if (numbersMin == numbersMax) {
      next += count;
      for (int n = 0; n < numbersMax; n++) {
        nextNumber[n] += count;
      }
      return;
    }
    for (int end = next + count; next < end; next++) {
      for (int n = numbersOf(patterns[next] & 0xff) - 1; n >= 0; n--) {
        nextNumber[n]++;
      }
    }
  }

  @Override
  void rewind() {
    super.rewind();
    Arrays.fill(nextNumber, 0);
  }

  @Override
  boolean mayBeCompound() {
    return entries.mayBeCompound();
  }

  @Override
  long length() {
    int[] starts = pieces[patterns[next++] & 0xff];
    int count = starts.length - 2;
    long length = (long) starts[count + 1] - starts[0] - 1 - count;
    for (int n = 0; n < count; n++) {
      length += Decimals.digits(numbers[n][nextNumber[n]++]);
    }
    return length;
  }

  @Override
  int write(byte[] out, int start, int end) {
    int[] starts = pieces[patterns[next++] & 0xff];
    int count = starts.length - 2;
    int at = start;
    for (int n = 0; n < count; n++) {
      at = copy(entries.bytes, starts[n], starts[n + 1] - starts[n] - 1, out, at, end);
      long number = numbers[n][nextNumber[n]++];
      int digits = Decimals.digits(number);
      if (digits > end - at) {
        return end + 1;
      }
      Decimals.write(number, digits, out, at);
      at += digits;
    }
    return copy(entries.bytes, starts[count], starts[count + 1] - starts[count] - 1, out, at, end);
  }
}
