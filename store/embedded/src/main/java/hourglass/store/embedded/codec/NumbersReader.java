package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;
import java.util.Arrays;

/** Reads runs of numbers; see {@link NumbersLayout}. Not thread-safe. */
final class NumbersReader {
  private final CompressedBytes frames;
  private byte[] plane = new byte[0];

  NumbersReader(CompressedBytes frames) {
    this.frames = frames;
  }

  /** Reads {@code count} numbers into an array that has room for them. */
  void read(PageInput in, String what, long[] numbers, int count) {
    if (count == 0) {
      return;
    }
    int mode = in.getByte();
    int width = mode & NumbersLayout.WIDTH_MASK;
    if ((mode & ~NumbersLayout.KNOWN) != 0 || width > NumbersLayout.WIDTH_MAX) {
      throw new CorruptException("page: " + what + ": numbers of mode " + mode + " are unknown");
    }
    boolean delta = (mode & NumbersLayout.DELTA) != 0;
    long first = delta ? in.getZigzag() : 0;
    long base = in.getZigzag();
    long unit = (mode & NumbersLayout.UNIT) != 0 ? in.getVarint() : 1;
    int start = delta ? 1 : 0;
    readOffsets(in, what, width, numbers, start, count);
    scale(numbers, start, count, base, unit);
    if (delta) {
      numbers[0] = first;
      for (int i = 1; i < count; i++) {
        numbers[i] += numbers[i - 1];
      }
    }
  }

  private static void scale(long[] numbers, int start, int count, long base, long unit) {
    if (unit == 1) {
      for (int i = start; i < count; i++) {
        numbers[i] += base;
      }
    } else {
      for (int i = start; i < count; i++) {
        numbers[i] = base + unit * numbers[i];
      }
    }
  }

  private void readOffsets(
      PageInput in, String what, int width, long[] numbers, int start, int count) {
    if (width == 0) {
      Arrays.fill(numbers, start, count, 0);
    } else if (width < NumbersLayout.WIDTH_BYTE) {
      readBits(in, what, NumbersLayout.bitsOf(width), numbers, start, count);
    } else {
      readPlanes(in, what, width - NumbersLayout.WIDTH_BYTE + 1, numbers, start, count);
    }
  }

  private void readPlanes(
      PageInput in, String what, int planes, long[] numbers, int start, int count) {
    for (int p = 0; p < planes; p++) {
      plane = frames.read(in, what, count - start, plane);
      byte[] bytes = plane;
      if (p == 0) {
        for (int i = start; i < count; i++) {
          numbers[i] = bytes[i - start] & 0xffL;
        }
      } else {
        int shift = p * Byte.SIZE;
        for (int i = start; i < count; i++) {
          numbers[i] |= (bytes[i - start] & 0xffL) << shift;
        }
      }
    }
  }

  private void readBits(PageInput in, String what, int bits, long[] numbers, int start, int count) {
    int perByte = Byte.SIZE / bits;
    int length = (count - start + perByte - 1) / perByte;
    plane = frames.read(in, what, length, plane);
    int mask = (1 << bits) - 1;
    for (int at = 0, i = start; at < length; at++) {
      int packed = plane[at];
      for (int shift = 0; shift < Byte.SIZE && i < count; shift += bits, i++) {
        numbers[i] = packed >> shift & mask;
      }
    }
  }
}
