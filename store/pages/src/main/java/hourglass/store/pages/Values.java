package hourglass.store.pages;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.bytes.Decimals;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageInput;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The values of a field in the order of columns; see {@link ColumnsLayout} for the kinds. */
abstract class Values {
  int next;

  /**
   * Passes the entries that lie apart, and returns their unpacked bytes; see {@link Entries#pass}.
   */
  int passEntries(PageInput in, CompressedBytes frames, int bytesMax) {
    return 0;
  }

  /** Loads the values; {@code ticks} are those of the column of each value. */
  abstract void load(Source source, int count, Supplier<long[]> ticks);

  /** Moves the source after the values without reading them. */
  abstract void pass(Source source, int count);

  /** The length of the next value. It advances to the value after it, like {@link #write}. */
  abstract long length();

  void skip(int count) {
    next += count;
  }

  /** Goes back to the first value. */
  void rewind() {
    next = 0;
  }

  /** Whether a value may be an array or object. */
  boolean mayBeCompound() {
    return false;
  }

  /**
   * Writes the next value. Returns the position after it, or one beyond {@code end} if it does not
   * fit. The array has {@link ByteWords#SLACK} after {@code end}.
   */
  abstract int write(byte[] out, int at, int end);

  /** Whether a value may contain the text, before values are loaded. */
  boolean mayHave(ByteSearch text) {
    return true;
  }

  /**
   * Returns the numbers of the values that contain the text. Before and after the call, the next
   * value is the first.
   *
   * @param room has {@link ByteWords#SLACK} after {@code end}
   */
  BitSet having(ByteSearch text, int count, byte[] room, int end) {
    BitSet having = new BitSet(count);
    for (int i = 0; i < count; i++) {
      having.set(i, nextHas(text, room, end));
    }
    rewind();
    return having;
  }

  boolean nextHas(ByteSearch text, byte[] room, int end) {
    int length = write(room, 0, end);
    if (length > end) {
      throw new CorruptException("page: values are longer than the payloads together");
    }
    return text.find(room, 0, length) >= 0;
  }

  static Values describe(PageInput description) {
    int kind = description.getByte();
    return switch (kind) {
      case ColumnsLayout.CONSTANT -> new ConstantValues(description);
      case ColumnsLayout.DICTIONARY -> new DictionaryValues(Entries.inside(description));
      case ColumnsLayout.DICTIONARY_APART -> new DictionaryValues(Entries.apart(description));
      case ColumnsLayout.TEXT -> new TextValues();
      case ColumnsLayout.DECIMAL -> DecimalValues.read(description);
      case ColumnsLayout.TIME -> TimeValues.read(description);
      case ColumnsLayout.HEX -> HexValues.read(description);
      case ColumnsLayout.PATTERN -> PatternValues.inside(Entries.inside(description));
      case ColumnsLayout.PATTERN_APART -> PatternValues.apart(description);
      default -> throw new CorruptException("page: fields of kind " + kind + " are unknown");
    };
  }

  /** Copies a value, which may be longer than the slack. */
  static int copy(byte[] source, int from, int length, byte[] out, int at, int end) {
    if (length > end - at) {
      throw new CorruptException("page: values are longer than the payloads together");
    }
    ByteWords.copy(source, from, out, at, length);
    return at + length;
  }

  static boolean isCompound(byte[] bytes, int from, int length) {
    return length > 0 && (bytes[from] == '{' || bytes[from] == '[');
  }

  /**
   * @param payloads whether texts are read
   * @param wanted the values that will be read, ascending; null for all. The others may be wrong.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Source(
      PageInput in,
      int payloadBytes,
      boolean payloads,
      CompressedBytes frames,
      NumberRuns numbers,
      int @Nullable [] wanted) {
    Source(
        PageInput in,
        int payloadBytes,
        boolean payloads,
        CompressedBytes frames,
        NumberRuns numbers) {
      this(in, payloadBytes, payloads, frames, numbers, null);
    }

    Source of(int[] values) {
      return new Source(in, payloadBytes, payloads, frames, numbers, values);
    }

    private Source ofAll() {
      return new Source(in, payloadBytes, payloads, frames, numbers);
    }

    private byte[] indexes(int count, int of) {
      return Indexes.read(frames, in, "values", count, of);
    }

    long[] numbers(int count) {
      long[] read = new long[count];
      numbers.read(in, "values", read, count, wanted);
      return read;
    }

    /** Checks the numbers that are wanted. */
    void check(long[] read, long min) {
      if (wanted == null) {
        for (long number : read) {
          check(number, min);
        }
      } else {
        for (int i : wanted) {
          check(read[i], min);
        }
      }
    }

    private static void check(long number, long min) {
      if (number < min) {
        throw new CorruptException("page: values: " + number + " < " + min);
      }
    }

    void passNumbers(int count) {
      numbers.skip(in, "values", count);
    }

    long[] numbersFromTimes(int count, int exponent, Supplier<long[]> ticks) {
      long[] read = numbers(count);
      long[] ticksOf = ticks.get();
      if (wanted != null) {
        for (int i : wanted) {
          read[i] += TimePrediction.of(ticksOf[i], exponent);
        }
        return read;
      }
      for (int i = 0; i < count; i++) {
        read[i] += TimePrediction.of(ticksOf[i], exponent);
      }
      return read;
    }

    /** Reads texts, followed by {@link ByteWords#SLACK}; empty if payloads are not read. */
    private byte[] text(long[] lengths) {
      long total = 0;
      for (long length : lengths) {
        if (length < 0 || length > payloadBytes - total) {
          throw new CorruptException("page: values: a text of " + length + " bytes");
        }
        total += length;
      }
      if (!payloads) {
        frames.skip(in, "values");
        return new byte[0];
      }
      return frames.read(in, "values", (int) total, new byte[(int) total + ByteWords.SLACK]);
    }
  }

  /** One value for all columns, which is included in the parts of payloads. */
  static final class ConstantValues extends Values {
    final int start;

    final int length;

    private ConstantValues(PageInput description) {
      length = description.getCount("length of a value", description.remaining());
      start = description.skip(length);
    }

    @Override
    void load(Source source, int count, Supplier<long[]> ticks) {}

    @Override
    void pass(Source source, int count) {}

    @Override
    long length() {
      return length;
    }

    @Override
    int write(byte[] out, int at, int end) {
      throw new IllegalStateException("a constant is part of its shape");
    }
  }

  static final class DictionaryValues extends Values {
    private final Entries entries;
    private byte[] indexes = new byte[0];

    private DictionaryValues(Entries entries) {
      this.entries = entries;
    }

    @Override
    int passEntries(PageInput in, CompressedBytes frames, int bytesMax) {
      return entries.pass(in, frames, bytesMax);
    }

    @Override
    void load(Source source, int count, Supplier<long[]> ticks) {
      entries.read();
      indexes = source.indexes(count, entries.count());
    }

    @Override
    void pass(Source source, int count) {
      Indexes.skip(source.frames, source.in, "values", count, entries.count());
    }

    @Override
    boolean mayBeCompound() {
      return entries.mayBeCompound();
    }

    @Override
    boolean mayHave(ByteSearch text) {
      entries.read();
      return firstWith(text, 0, entries.starts[0]) < entries.count();
    }

    /**
     * The first entry at or after {@code from} that contains the text at or after the position
     * {@code behind}; the number of entries if none does. All are searched at once: only their
     * lengths are between them.
     */
    private int firstWith(ByteSearch text, int from, int behind) {
      int entry = from;
      int end = entries.end(entries.count() - 1);
      for (int at = behind; (at = text.find(entries.bytes, at, end)) >= 0; at++) {
        while (entries.end(entry) <= at) {
          entry++;
        }
        if (at >= entries.starts[entry] && at + text.length() <= entries.end(entry)) {
          return entry;
        }
      }
      return entries.count();
    }

    @Override
    BitSet having(ByteSearch text, int count, byte[] room, int end) {
      boolean[] those = new boolean[entries.count()];
      int entry = firstWith(text, 0, entries.starts[0]);
      while (entry < those.length) {
        those[entry] = true;
        entry = firstWith(text, entry, entries.end(entry));
      }
      BitSet having = new BitSet(count);
      for (int i = 0; i < count; i++) {
        if (those[indexes[i] & 0xff]) {
          having.set(i);
        }
      }
      return having;
    }

    /** The entry of the next value. */
    int entry() {
      return entry(next);
    }

    int entry(int value) {
      return indexes[value] & 0xff;
    }

    @Override
    long length() {
      return entries.lengths[indexes[next++] & 0xff];
    }

    @Override
    int write(byte[] out, int at, int end) {
      return write(indexes[next++] & 0xff, out, at, end);
    }

    int write(int entry, byte[] out, int at, int end) {
      return copy(entries.bytes, entries.starts[entry], entries.lengths[entry], out, at, end);
    }
  }

  private static final class TextValues extends Values {
    private byte[] bytes = new byte[0];
    private long[] lengths = new long[0];
    private int position;

    @Override
    void load(Source source, int count, Supplier<long[]> ticks) {
      lengths = source.ofAll().numbers(count);
      bytes = source.text(lengths);
    }

    @Override
    void pass(Source source, int count) {
      source.passNumbers(count);
      source.frames.skip(source.in, "values");
    }

    @Override
    void skip(int count) {
      for (int end = next + count; next < end; next++) {
        position += (int) lengths[next];
      }
    }

    @Override
    void rewind() {
      super.rewind();
      position = 0;
    }

    @Override
    boolean mayBeCompound() {
      return true;
    }

    @Override
    BitSet having(ByteSearch text, int count, byte[] room, int end) {
      BitSet having = new BitSet(count);
      int total = bytes.length - ByteWords.SLACK;
      int value = -1;
      int valueEnd = 0;
      for (int at; (at = text.find(bytes, valueEnd, total)) >= 0; ) {
        while (valueEnd <= at) {
          valueEnd += (int) lengths[++value];
        }
        having.set(value, at + text.length() <= valueEnd); // if not, the text crosses two values
      }
      return having;
    }

    @Override
    long length() {
      return lengths[next++];
    }

    @Override
    int write(byte[] out, int at, int end) {
      int length = (int) lengths[next++];
      int from = position;
      position += length;
      return copy(bytes, from, length, out, at, end);
    }
  }

  private static final class PatternValues extends Values {
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

    private PatternValues(Entries entries, int numbersMax) {
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
    void load(Source source, int count, Supplier<long[]> ticks) {
      readPatterns();
      int[] counts = countsOf(source, count);
      for (int n = 0; n < counts.length; n++) {
        Source some = counts[n] == count ? source : source.ofAll();
        numbers[n] = some.numbers(counts[n]);
        some.check(numbers[n], 0);
      }
    }

    @Override
    void pass(Source source, int count) {
      Indexes.skip(source.frames, source.in, "values", count, entries.count());
      for (int n = 0; n < numbersMax; n++) {
        source.passNumbers(count); // a pattern has values, and so there are such numbers
      }
    }

    /**
     * Reads the pattern of each value. Returns the count of values that have a first number, a
     * second one, and so on.
     */
    private int[] countsOf(Source source, int count) {
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
      return copy(
          entries.bytes, starts[count], starts[count + 1] - starts[count] - 1, out, at, end);
    }
  }
}
