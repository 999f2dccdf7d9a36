package hourglass.load.event;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import hourglass.bytes.WholeInflater;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Unpacks gzip (RFC 1952) and zstd (RFC 8878), recognized by their first bytes. Any other input is
 * plain.
 */
public final class PackedInput {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};
  private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

  private PackedInput() {}

  /**
   * Returns the unpacked bytes. Reading them fails if the packed bytes are damaged or cut off.
   *
   * @throws IOException if the beginning cannot be read
   */
  public static InputStream open(InputStream in) throws IOException {
    BufferedInputStream packed = new BufferedInputStream(in, BUFFER_BYTES);
    packed.mark(ZSTD.length);
    byte[] begin = packed.readNBytes(ZSTD.length);
    packed.reset();
    if (beginsWith(begin, GZIP)) {
      return WholeInflater.gzip(packed, BUFFER_BYTES);
    }
    return beginsWith(begin, ZSTD) ? new Zstd(packed) : packed;
  }

  private static boolean beginsWith(byte[] bytes, byte[] magic) {
    return bytes.length >= magic.length
        && java.util.Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
  }

  /**
   * Unpacks a series of frames, and reports the end of a cut file in the same words as for gzip.
   */
  private static final class Zstd extends FilterInputStream {
    Zstd(InputStream packed) throws IOException {
      super(new ZstdInputStreamNoFinalizer(packed));
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      try {
        return in.read(to, from, length);
      } catch (IOException e) {
        boolean isCut = String.valueOf(e.getMessage()).contains("Truncated source");
        throw isCut ? new EOFException("it ends too early") : e;
      }
    }
  }
}
