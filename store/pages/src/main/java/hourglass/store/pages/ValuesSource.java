package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageInput;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data of values, which follow one another in the page.
 *
 * @param payloads whether texts are read
 * @param wanted the values that will be read, ascending; null for all. The others may be wrong.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ValuesSource(
    PageInput in,
    int payloadBytes,
    boolean payloads,
    CompressedBytes frames,
    NumberRuns numbers,
    int @Nullable [] wanted) {
  ValuesSource(
      PageInput in,
      int payloadBytes,
      boolean payloads,
      CompressedBytes frames,
      NumberRuns numbers) {
    this(in, payloadBytes, payloads, frames, numbers, null);
  }

  /** Returns the same source for some values, ascending. */
  ValuesSource forValues(int[] values) {
    return new ValuesSource(in, payloadBytes, payloads, frames, numbers, values);
  }

  /** Returns the same source for all values. */
  ValuesSource forAll() {
    return new ValuesSource(in, payloadBytes, payloads, frames, numbers);
  }

  byte[] indexes(int count, int of) {
    return Indexes.read(frames, in, "values", count, of);
  }

  void passIndexes(int count, int of) {
    Indexes.skip(frames, in, "values", count, of);
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

  /** Reads numbers that are kept as their difference from the time of the column. */
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
  byte[] text(long[] lengths) {
    long total = 0;
    for (long length : lengths) {
      if (length < 0 || length > payloadBytes - total) {
        throw new CorruptException("page: values: a text of " + length + " bytes");
      }
      total += length;
    }
    if (!payloads) {
      passText();
      return new byte[0];
    }
    return frames.read(in, "values", (int) total, new byte[(int) total + ByteWords.SLACK]);
  }

  void passText() {
    frames.skip(in, "values");
  }
}
