package hourglass.store.embedded.codec;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import hourglass.store.CorruptException;
import java.util.Arrays;

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
final class CompressedBytes implements AutoCloseable {
  /** Shorter runs are not compressed: a frame saves next to nothing. */
  private static final int COMPRESSED_BYTES_MIN = 24;

  private static final int NOISE_BYTES_MIN = 256;

  /** For longer runs, zstd's own check is fast enough. */
  private static final int NOISE_BYTES_MAX = 1 << 16;

  private final int[] counts = new int[256];
  private final ZstdCompressCtx compressor;
  private final ZstdDecompressCtx decompressor;

  CompressedBytes(int level) {
    compressor = new ZstdCompressCtx();
    decompressor = new ZstdDecompressCtx();
    compressor.setLevel(level).setMagicless(true).setChecksum(false).setContentSize(false);
    decompressor.setMagicless(true);
  }

  void write(byte[] source, int from, int length, PageOutput out) {
    out.putVarint(length);
    if (length >= COMPRESSED_BYTES_MIN
        && !isNoise(source, from, length)
        && compressed(source, from, length, out)) {
      return;
    }
    out.putVarint(length);
    out.putBytes(source, from, length);
  }

  private boolean compressed(byte[] source, int from, int length, PageOutput out) {
    int varintBytes = varintBytes(length);
    int bound = compressBound(length);
    out.reserve(varintBytes + bound);
    int at = out.size() + varintBytes;
    int stored = compressor.compressByteArray(out.array(), at, bound, source, from, length);
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

  /** As in zstd, without a native call. */
  private static int compressBound(int length) {
    int small = 128 << 10;
    return length + (length >>> 8) + (length < small ? small - length >>> 11 : 0);
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

  byte[] read(PageInput in, String what, int rawLength, byte[] target) {
    int actual = in.getCount(what, rawLength);
    if (actual != rawLength) {
      throw new CorruptException("page: " + what + ": " + actual + " bytes, not " + rawLength);
    }
    byte[] room = target.length >= rawLength ? target : new byte[rawLength];
    readBytes(in, what, rawLength, room);
    return room;
  }

  void skip(PageInput in, String what) {
    in.getVarint();
    in.skip(in.getCount(what, in.remaining()));
  }

  byte[] readUpTo(PageInput in, String what, int rawLengthMax, int slack) {
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
    int length = decompressed(in.array(), from, stored, what, rawLength, target);
    if (length != rawLength) {
      throw new CorruptException(
          "page: " + what + ": unpacks to " + length + " bytes, not " + rawLength);
    }
  }

  private int decompressed(
      byte[] source, int from, int stored, String what, int rawLength, byte[] target) {
    try {
      return decompressor.decompressByteArray(target, 0, rawLength, source, from, stored);
    } catch (ZstdException e) {
      throw new CorruptException("page: " + what + ": does not unpack: " + e.getMessage(), e);
    }
  }

  /** Frees memory outside of the heap. */
  @Override
  public void close() {
    compressor.close();
    decompressor.close();
  }

  /** Without the content if a longer array is needed. */
  static byte[] room(byte[] array, int length) {
    return array.length >= length ? array : new byte[Math.max(length, array.length * 2)];
  }

  static long[] room(long[] array, int length) {
    return array.length >= length ? array : new long[Math.max(length, array.length * 2)];
  }

  static int[] room(int[] array, int length) {
    return array.length >= length ? array : new int[Math.max(length, array.length * 2)];
  }
}
