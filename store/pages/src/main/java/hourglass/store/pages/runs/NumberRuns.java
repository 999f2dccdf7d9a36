package hourglass.store.pages.runs;

import hourglass.store.CorruptException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Runs of numbers; the reader must know their count. Not thread-safe.
 *
 * <pre>
 *   +-------+-----------------+----------------+-----------------+------------------------+
 *   | mode  | first number    | base           | unit            | planes                 |
 *   | 1     | zigzag varint,  | zigzag varint  | varint, where   | one frame a plane, see |
 *   |       | where DELTA     |                | UNIT            | {@link CompressedBytes}         |
 *   +-------+-----------------+----------------+-----------------+------------------------+
 *
 *   mode   width (4 bits) | DELTA | UNIT
 *   number = base + unit * offset, where DELTA added to the number before it
 *   width  0      every offset is 0; no plane
 *          1 2 3  offsets of 1, 2, 4 bits, the first in the lowest bits; one plane
 *          4..11  offsets of 1 to 8 bytes; a plane for each byte, the lowest first
 * </pre>
 *
 * Arithmetic is modulo 2^64. Planes separate noisy low bytes from high ones, which are nearly all
 * alike. So 1,500 random times cost no more than their entropy.
 */
public final class NumberRuns {
  private static final int WIDTH_MASK = 0x0f;
  private static final int DELTA = 0x10;
  private static final int UNIT = 0x20;

  /** The width of one byte; lesser widths are bits, greater ones are bytes. */
  private static final int WIDTH_BYTE = 4;

  private static final int WIDTH_MAX = WIDTH_BYTE + Long.BYTES - 1;

  private static final int SAMPLES = 128;

  private final CompressedBytes frames;
  private final CommonDivisor divisor = new CommonDivisor();
  private long[] offsets = new long[0];
  private byte[] plane = new byte[0];

  public NumberRuns(CompressedBytes frames) {
    this.frames = frames;
  }

  public void write(long[] numbers, int count, PageOutput out) {
    if (count == 0) {
      return;
    }
    offsets = CompressedBytes.room(offsets, count);
    plane = CompressedBytes.room(plane, count);
    if (deltasAreShorter(numbers, count)) {
      for (int i = 1; i < count; i++) {
        offsets[i - 1] = numbers[i] - numbers[i - 1];
      }
      writeOffsets(DELTA, numbers[0], count - 1, out);
    } else {
      System.arraycopy(numbers, 0, offsets, 0, count);
      writeOffsets(0, 0, count, out);
    }
  }

  /** Whether differences need fewer bits than the numbers, estimated by samples. */
  private static boolean deltasAreShorter(long[] numbers, int count) {
    long plainBits = 0;
    long deltaBits = 0;
    int samples = 0;
    int step = 1 + count / SAMPLES;
    for (int i = 1; i < count; i += step) {
      long delta = numbers[i] - numbers[i - 1];
      deltaBits += bits(delta << 1 ^ delta >> 63);
      // The distance shows how far the numbers spread.
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
    int width = widthOf(greatestBits(count));
    out.putByte(width | delta | (unit == 1 ? 0 : UNIT));
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

  /**
   * Divides the offsets by their greatest common divisor, and returns it. Returns 1 and divides
   * nothing if it is 1, or if an offset is above 2^63.
   */
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
    for (int p = 0; p < planesOf(width); p++) {
      int shift = p * Byte.SIZE;
      for (int i = 0; i < count; i++) {
        plane[i] = (byte) (offsets[i] >>> shift);
      }
      frames.writeBits(plane, count, bitsOf(width), out);
    }
  }

  private static int widthOf(long offsetMax) {
    int bits = bits(offsetMax);
    if (bits <= 2) {
      return bits;
    }
    return bits <= 4 ? 3 : WIDTH_BYTE + (bits - 1) / Byte.SIZE;
  }

  private static int planesOf(int width) {
    return width == 0 ? 0 : Math.max(1, width - WIDTH_BYTE + 1);
  }

  /** The bits of each offset in a plane. */
  private static int bitsOf(int width) {
    return 1 << Math.min(width, WIDTH_BYTE) - 1;
  }

  public void read(PageInput in, String what, long[] numbers, int count) {
    read(in, what, numbers, count, null);
  }

  /**
   * Reads only the {@code wanted} numbers, by their places. If each number depends on the one
   * before it, it reads all. The other numbers must be 0 before.
   */
  public void read(PageInput in, String what, long[] numbers, int count, int @Nullable [] wanted) {
    if (count == 0) {
      return;
    }
    int mode = mode(in, what);
    int width = mode & WIDTH_MASK;
    boolean delta = (mode & DELTA) != 0;
    long first = delta ? in.getZigzag() : 0;
    long base = in.getZigzag();
    long unit = (mode & UNIT) != 0 ? in.getVarint() : 1;
    if (wanted != null && !delta) {
      readWanted(in, what, width, numbers, count, wanted);
      scale(numbers, wanted, base, unit);
      return;
    }
    int start = delta ? 1 : 0;
    readPlanes(in, what, width, numbers, start, count);
    scale(numbers, start, count, base, unit);
    if (delta) {
      numbers[0] = first;
      for (int i = 1; i < count; i++) {
        numbers[i] += numbers[i - 1];
      }
    }
  }

  public void skip(PageInput in, String what, int count) {
    if (count == 0) {
      return;
    }
    int mode = mode(in, what);
    if ((mode & DELTA) != 0) {
      in.getZigzag();
    }
    in.getZigzag();
    if ((mode & UNIT) != 0) {
      in.getVarint();
    }
    for (int p = 0; p < planesOf(mode & WIDTH_MASK); p++) {
      frames.skip(in, what);
    }
  }

  private static int mode(PageInput in, String what) {
    int mode = in.getByte();
    if ((mode & ~(WIDTH_MASK | DELTA | UNIT)) != 0 || (mode & WIDTH_MASK) > WIDTH_MAX) {
      throw new CorruptException("page: " + what + ": numbers of mode " + mode + " are unknown");
    }
    return mode;
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

  private static void scale(long[] numbers, int[] wanted, long base, long unit) {
    for (int i : wanted) {
      numbers[i] = base + unit * numbers[i];
    }
  }

  private void readWanted(
      PageInput in, String what, int width, long[] numbers, int count, int[] wanted) {
    for (int p = 0; p < planesOf(width); p++) {
      plane = frames.readBits(in, what, count, bitsOf(width), plane);
      for (int i : wanted) {
        numbers[i] |= (plane[i] & 0xffL) << p * Byte.SIZE;
      }
    }
  }

  private void readPlanes(
      PageInput in, String what, int width, long[] numbers, int start, int count) {
    Arrays.fill(numbers, start, count, 0);
    for (int p = 0; p < planesOf(width); p++) {
      plane = frames.readBits(in, what, count - start, bitsOf(width), plane);
      byte[] bytes = plane;
      int shift = p * Byte.SIZE;
      for (int i = start; i < count; i++) {
        numbers[i] |= (bytes[i - start] & 0xffL) << shift;
      }
    }
  }
}
