package hourglass.store.embedded.codec;

/** Writes runs of numbers; see {@link NumbersLayout}. Not thread-safe. */
final class NumbersWriter {
  private static final int SAMPLES = 128;

  private final CompressedBytes frames;
  private final CommonDivisor divisor = new CommonDivisor();
  private long[] offsets = new long[0];
  private byte[] plane = new byte[0];

  NumbersWriter(CompressedBytes frames) {
    this.frames = frames;
  }

  /** Writes the first {@code count} numbers; none leave no trace. */
  void write(long[] numbers, int count, PageOutput out) {
    if (count == 0) {
      return;
    }
    offsets = CompressedBytes.room(offsets, count);
    plane = CompressedBytes.room(plane, count);
    if (deltasAreShorter(numbers, count)) {
      for (int i = 1; i < count; i++) {
        offsets[i - 1] = numbers[i] - numbers[i - 1];
      }
      writeOffsets(NumbersLayout.DELTA, numbers[0], count - 1, out);
    } else {
      System.arraycopy(numbers, 0, offsets, 0, count);
      writeOffsets(0, 0, count, out);
    }
  }

  /** Compares the bits that each way takes on average, in samples. */
  private static boolean deltasAreShorter(long[] numbers, int count) {
    long plainBits = 0;
    long deltaBits = 0;
    int samples = 0;
    int step = 1 + count / SAMPLES;
    for (int i = 1; i < count; i += step) {
      long delta = numbers[i] - numbers[i - 1];
      deltaBits += bits(delta << 1 ^ delta >> 63);
      // The distance of a sample from the first shows the spread of the numbers.
      long distance = numbers[i] - numbers[0];
      plainBits += bits(distance << 1 ^ distance >> 63);
      samples++;
    }
    return deltaBits + samples < plainBits;
  }

  private static int bits(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value);
  }

  private void writeOffsets(int delta, long first, int count, PageOutput out) {
    long base = subtractLeast(count);
    long unit = divideByUnit(count);
    int width = NumbersLayout.widthOf(greatestBits(count));
    out.putByte(width | delta | (unit == 1 ? 0 : NumbersLayout.UNIT));
    if (delta != 0) {
      out.putZigzag(first);
    }
    out.putZigzag(base);
    if (unit != 1) {
      out.putVarint(unit);
    }
    writePlanes(width, count, out);
  }

  private long subtractLeast(int count) {
    long base = count == 0 ? 0 : Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      base = Math.min(base, offsets[i]);
    }
    for (int i = 0; i < count; i++) {
      offsets[i] -= base;
    }
    return base;
  }

  /** Divides by the greatest common divisor, unless that is 1 or an offset is above 2^63. */
  private long divideByUnit(int count) {
    divisor.clear();
    for (int i = 0; i < count; i++) {
      if (offsets[i] < 0 || !divisor.include(offsets[i])) {
        return 1;
      }
    }
    if (divisor.value() == 0) {
      return 1;
    }
    for (int i = 0; i < count; i++) {
      offsets[i] = divisor.divide(offsets[i]);
    }
    return divisor.value();
  }

  private long greatestBits(int count) {
    long all = 0;
    for (int i = 0; i < count; i++) {
      all |= offsets[i];
    }
    return all;
  }

  private void writePlanes(int width, int count, PageOutput out) {
    if (width > 0 && width < NumbersLayout.WIDTH_BYTE) {
      int length = packBits(NumbersLayout.bitsOf(width), count);
      frames.write(plane, 0, length, out);
    }
    for (int shift = 0; shift <= (width - NumbersLayout.WIDTH_BYTE) * Byte.SIZE; shift += 8) {
      for (int i = 0; i < count; i++) {
        plane[i] = (byte) (offsets[i] >>> shift);
      }
      frames.write(plane, 0, count, out);
    }
  }

  private int packBits(int bits, int count) {
    int perByte = Byte.SIZE / bits;
    int length = (count + perByte - 1) / perByte;
    for (int at = 0, i = 0; at < length; at++) {
      int packed = 0;
      for (int shift = 0; shift < Byte.SIZE && i < count; shift += bits, i++) {
        packed |= (int) offsets[i] << shift;
      }
      plane[at] = (byte) packed;
    }
    return length;
  }
}
