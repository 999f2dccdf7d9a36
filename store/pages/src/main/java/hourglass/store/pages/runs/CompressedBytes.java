package hourglass.store.pages.runs;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Runs of bytes, compressed if that makes them shorter.
 *
 * <pre>
 *   +------------------+-------------------+----------------------------------------+
 *   | raw length       | stored length     | the bytes, or a zstd frame of them     |
 *   | varint           | varint            | where the stored length is less        |
 *   +------------------+-------------------+----------------------------------------+
 * </pre>
 *
 * Frames have no magic number or checksum: the page has both.
 */
public final class CompressedBytes implements AutoCloseable {
  /** The least length that is compressed; a frame of a shorter run saves next to nothing. */
  private static final int COMPRESSED_BYTES_MIN = 24;

  private static final int NOISE_BYTES_MIN = 256;

  /**
   * The greatest length that is checked for noise; for longer runs, zstd's own check is fast
   * enough.
   */
  private static final int NOISE_BYTES_MAX = 1 << 16;

  private final int[] counts = new int[256];
  private byte[] packed = new byte[0];
  private final int level;

  /** Created at the first write, since many only read. */
  private @Nullable ZstdCompressCtx compressor;

  /** Created at the first read, since some only write. */
  private @Nullable ZstdDecompressCtx decompressor;

  public CompressedBytes(int level) {
    this.level = level;
  }

  private ZstdCompressCtx compressor() {
    ZstdCompressCtx known = compressor;
    if (known == null) {
      known = new ZstdCompressCtx();
      known.setLevel(level).setMagicless(true).setChecksum(false).setContentSize(false);
      compressor = known;
    }
    return known;
  }

  private ZstdDecompressCtx decompressor() {
    ZstdDecompressCtx known = decompressor;
    if (known == null) {
      known = new ZstdDecompressCtx();
      known.setMagicless(true);
      decompressor = known;
    }
    return known;
  }

  public void write(byte[] source, int from, int length, PageOutput out) {
    out.putVarint(length);
    if (length >= COMPRESSED_BYTES_MIN
        && !isNoise(source, from, length)
        && compressed(source, from, length, out)) {
      return;
    }
    out.putVarint(length);
    out.putBytes(source, from, length);
  }

  /** Writes values of 1, 2, 4 or 8 bits, the first in the lowest bits of a byte. */
  public void writeBits(byte[] values, int count, int bits, PageOutput out) {
    if (bits == Byte.SIZE) {
      write(values, 0, count, out);
      return;
    }
    packed = room(packed, count);
    int length = packedBytes(count, bits);
    for (int at = 0, i = 0; at < length; at++) {
      int together = 0;
      for (int shift = 0; shift < Byte.SIZE && i < count; shift += bits, i++) {
        together |= values[i] << shift;
      }
      packed[at] = (byte) together;
    }
    write(packed, 0, length, out);
  }

  private static int packedBytes(int count, int bits) {
    int perByte = Byte.SIZE / bits;
    return (count + perByte - 1) / perByte;
  }

  private boolean compressed(byte[] source, int from, int length, PageOutput out) {
    int varintBytes = varintBytes(length);
    int bound = (int) Zstd.compressBound(length);
    out.reserve(varintBytes + bound);
    int at = out.size() + varintBytes;
    int stored = compressor().compressByteArray(out.array(), at, bound, source, from, length);
    if (stored >= length) {
      return false;
    }
    out.putVarint(stored);
    if (out.size() != at) {
      System.arraycopy(out.array(), at, out.array(), out.size(), stored);
    }
    out.advance(stored);
    return true;
  }

  /** Whether no frame can be shorter: the share of equal pairs is 1 in 256 for noise. */
  private boolean isNoise(byte[] source, int from, int length) {
    if (length < NOISE_BYTES_MIN || length > NOISE_BYTES_MAX) {
      return false;
    }
    Arrays.fill(counts, 0);
    for (int i = from; i < from + length; i++) {
      counts[source[i] & 0xff]++;
    }
    long pairs = 0;
    for (int count : counts) {
      pairs += (long) count * (count - 1);
    }
    return pairs * 256 < (long) length * (length - 1) * 110 / 100;
  }

  private static int varintBytes(int value) {
    return (31 - Integer.numberOfLeadingZeros(value | 1)) / 7 + 1;
  }

  public byte[] read(PageInput in, String what, int rawLength, byte[] target) {
    int actual = in.getCount(what, rawLength);
    if (actual != rawLength) {
      throw new CorruptException("page: " + what + ": " + actual + " bytes, not " + rawLength);
    }
    byte[] room = target.length >= rawLength ? target : new byte[rawLength];
    readBytes(in, what, rawLength, room);
    return room;
  }

  /** Reads the values that {@link #writeBits} packed, into the target or a longer array. */
  public byte[] readBits(PageInput in, String what, int count, int bits, byte[] target) {
    byte[] values = read(in, what, packedBytes(count, bits), room(target, count));
    if (bits < Byte.SIZE) {
      unpack(values, count, bits);
    }
    return values;
  }

  /**
   * Unpacks values in place, from the end, as an unpacked value may overwrite packed ones. Eight
   * values at a time are spread over a word: their first half moves away from the second, then each
   * half of both, then each value.
   */
  private static void unpack(byte[] values, int count, int bits) {
    int mask = (1 << bits) - 1;
    int words = count / Long.BYTES;
    for (int i = count - 1; i >= words * Long.BYTES; i--) {
      int bit = i * bits;
      values[i] = (byte) (values[bit >>> 3] >> (bit & 7) & mask);
    }
    long all = (1L << Long.BYTES * bits) - 1;
    long halves = ((1L << 4 * bits) - 1) * 0x0000000100000001L;
    long quarters = ((1L << 2 * bits) - 1) * 0x0001000100010001L;
    long each = mask * 0x0101010101010101L;
    for (int i = words - 1; i >= 0; i--) {
      long word = ByteWords.get(values, i * bits) & all;
      word = (word | word << 32 - 4 * bits) & halves;
      word = (word | word << 16 - 2 * bits) & quarters;
      word = (word | word << Byte.SIZE - bits) & each;
      ByteWords.set(values, i * Long.BYTES, word);
    }
  }

  public void skip(PageInput in, String what) {
    in.getVarint();
    in.skip(in.getCount(what, in.remaining()));
  }

  public byte[] readUpTo(PageInput in, String what, int rawLengthMax, int slack) {
    int rawLength = in.getCount(what, rawLengthMax);
    byte[] room = new byte[rawLength + slack];
    readBytes(in, what, rawLength, room);
    return room;
  }

  private void readBytes(PageInput in, String what, int rawLength, byte[] target) {
    int stored = in.getCount(what, rawLength);
    int from = in.skip(stored);
    if (stored == rawLength) {
      System.arraycopy(in.array(), from, target, 0, rawLength);
      return;
    }
    int length;
    try {
      length = decompressor().decompressByteArray(target, 0, rawLength, in.array(), from, stored);
    } catch (ZstdException e) {
      throw new CorruptException("page: " + what + ": does not unpack: " + e.getMessage(), e);
    }
    if (length != rawLength) {
      throw new CorruptException(
          "page: " + what + ": unpacks to " + length + " bytes, not " + rawLength);
    }
  }

  /** Frees the memory outside the heap. */
  @Override
  public void close() {
    if (compressor != null) {
      compressor.close();
    }
    if (decompressor != null) {
      decompressor.close();
    }
  }

  /** Returns the array, or a longer one if needed, which lacks its content. */
  public static byte[] room(byte[] array, int length) {
    return array.length >= length ? array : new byte[Math.max(length, array.length * 2)];
  }

  public static long[] room(long[] array, int length) {
    return array.length >= length ? array : new long[Math.max(length, array.length * 2)];
  }

  public static int[] room(int[] array, int length) {
    return array.length >= length ? array : new int[Math.max(length, array.length * 2)];
  }
}
