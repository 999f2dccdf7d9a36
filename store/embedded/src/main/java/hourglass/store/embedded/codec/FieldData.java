package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;

/** The source of the fields' data, which is read in order. */
final class FieldData {
  private final PageInput in;
  private final int payloadBytes;
  private final Indexes indexes;
  private final NumbersReader numbers;
  private final CompressedBytes frames;
  private final boolean payloads;
  private final TicksOfValues ticks;
  private int field;

  /** Returns the ticks of the column of each value of a field. */
  interface TicksOfValues {
    long[] of(int field, int count);
  }

  /**
   * Reads the data of fields from a page.
   *
   * @param payloads whether to read payloads, or only their lengths
   */
  FieldData(
      PageInput in,
      int payloadBytes,
      Indexes indexes,
      NumbersReader numbers,
      CompressedBytes frames,
      boolean payloads,
      TicksOfValues ticks) {
    this.in = in;
    this.payloadBytes = payloadBytes;
    this.indexes = indexes;
    this.numbers = numbers;
    this.frames = frames;
    this.payloads = payloads;
    this.ticks = ticks;
  }

  void load(int number, Values values, int count) {
    field = number;
    values.load(this, count);
  }

  byte[] indexes(int count, int of) {
    return indexes.read(in, "values", count, of);
  }

  long[] numbers(int count) {
    long[] read = new long[count];
    numbers.read(in, "values", read, count);
    return read;
  }

  /** Numbers that were stored as differences from the times of their columns. */
  long[] numbersFromTimes(int count, int exponent) {
    long[] read = numbers(count);
    long[] ticksOf = ticks.of(field, count);
    for (int i = 0; i < count; i++) {
      read[i] += TimePrediction.of(ticksOf[i], exponent);
    }
    return read;
  }

  /** Texts of these lengths, and {@link ByteWords#SLACK}; empty if payloads are not read. */
  byte[] text(long[] lengths) {
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
