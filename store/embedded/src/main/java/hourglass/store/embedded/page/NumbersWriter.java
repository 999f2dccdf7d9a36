package hourglass.store.embedded.page;

/** Writes runs of numbers; see {@link NumbersLayout}. Not thread-safe. */
final class NumbersWriter {
  private final Frames frames;
  private long[] offsets = new long[0];
  private byte[] plane = new byte[0];

  NumbersWriter(Frames frames) {
    this.frames = frames;
  }

  /** Writes the first {@code count} numbers; none leave no trace. */
  void write(long[] numbers, int count, PageOutput out) {
    if (count == 0) {
      return;
    }
    offsets = Frames.room(offsets, count);
    plane = Frames.room(plane, count);
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

  /** Compares the bits that each way takes on average. */
  private static boolean deltasAreShorter(long[] numbers, int count) {
    long min = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      min = Math.min(min, numbers[i]);
    }
    long plainBits = bits(numbers[0] - min);
    long deltaBits = 0;
    for (int i = 1; i < count; i++) {
      long delta = numbers[i] - numbers[i - 1];
      plainBits += bits(numbers[i] - min);
      deltaBits += bits(delta << 1 ^ delta >> 63);
    }
    return deltaBits < plainBits;
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

  /** The offsets' greatest common divisor, where it is more than 1 and all are below 2^63. */
  private long divideByUnit(int count) {
    long unit = 0;
    for (int i = 0; i < count && unit != 1; i++) {
      if (offsets[i] < 0) {
        return 1;
      }
      if (unit == 0 || offsets[i] % unit != 0) {
        unit = greatestCommonDivisor(offsets[i], unit);
      }
    }
    if (unit <= 1) {
      return 1;
    }
    for (int i = 0; i < count; i++) {
      offsets[i] /= unit;
    }
    return unit;
  }

  private static long greatestCommonDivisor(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return x;
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
