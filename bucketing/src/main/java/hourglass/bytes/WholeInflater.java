package hourglass.bytes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Unpacks gzip, zlib or bare deflate, and fails unless the packed bytes end where the format does.
 * Java's own streams mistake a second member of gzip that is cut in its header for the end, and do
 * not check the bytes after the end.
 *
 * <pre>
 * member of gzip (RFC 1952), one or more:
 * 1f 8b 08 | flags | 6 bytes | extra, name, comment, CRC-16 as flagged | deflate | CRC-32 | length
 * </pre>
 */
public final class WholeInflater extends InputStream {
  /** The method of gzip (RFC 1952) and zlib (RFC 1950), which have no other. */
  private static final int DEFLATED = 8;

  private static final String CUT = "it ends too early";

  private static final int FLAG_HEADER_SUM = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int FLAGS_RESERVED = 0xe0;

  private final InputStream in;
  private final boolean isGzip;
  private final Inflater inflater;

  /** The checksum of the header at first, then of the unpacked bytes of the member. */
  private final CRC32 sum = new CRC32();

  private final byte[] packed;
  private int at;
  private int end;
  private boolean ended;

  private WholeInflater(InputStream in, boolean isGzip, byte[] packed, int end, boolean isBare) {
    this.in = in;
    this.isGzip = isGzip;
    this.packed = packed;
    this.end = end;
    inflater = new Inflater(isBare);
  }

  /** Returns a stream of all members, as one. */
  public static WholeInflater gzip(InputStream in, int bufferBytes) throws IOException {
    WholeInflater gzip = new WholeInflater(in, true, new byte[bufferBytes], 0, true);
    gzip.readHeader();
    return gzip;
  }

  /**
   * Returns a stream for "deflate". RFC 9110 requires a header of zlib, which some clients leave
   * out.
   */
  public static WholeInflater deflate(InputStream in, int bufferBytes) throws IOException {
    byte[] packed = new byte[bufferBytes];
    int end = in.readNBytes(packed, 0, 2);
    boolean hasHeader =
        end == 2
            && (packed[0] & 0x0f) == DEFLATED
            && ((packed[0] & 0xff) << 8 | packed[1] & 0xff) % 31 == 0;
    return new WholeInflater(in, false, packed, end, !hasHeader);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] out, int from, int length) throws IOException {
    while (length > 0 && !ended) {
      int unpacked = inflate(out, from, length);
      if (unpacked > 0) {
        sum.update(out, from, unpacked);
        return unpacked;
      }
      if (inflater.finished()) {
        endMember();
      } else if (inflater.needsDictionary()) {
        throw new ZipException("it needs a preset dictionary");
      } else if (at == end && !fill()) {
        throw new EOFException(CUT);
      } else {
        inflater.setInput(packed, at, end - at);
        at = end;
      }
    }
    return length == 0 ? 0 : -1;
  }

  private int inflate(byte[] out, int from, int length) throws ZipException {
    try {
      return inflater.inflate(out, from, length);
    } catch (DataFormatException e) {
      throw (ZipException) new ZipException(e.getMessage()).initCause(e);
    }
  }

  private void endMember() throws IOException {
    at = end - inflater.getRemaining();
    if (isGzip) {
      int length = (int) inflater.getBytesWritten();
      int content = (int) sum.getValue();
      if (content != nextInt() || length != nextInt()) {
        throw new ZipException("its checksum is wrong");
      }
    }
    if (at == end && !fill()) {
      ended = true;
    } else if (!isGzip) {
      throw new ZipException("bytes follow its end");
    } else {
      readHeader();
    }
  }

  private void readHeader() throws IOException {
    sum.reset();
    if (next() != 0x1f || next() != 0x8b || next() != DEFLATED) {
      throw new ZipException(
          inflater.finished() ? "bytes follow its end" : "it has no header of gzip");
    }
    int flags = next();
    if ((flags & FLAGS_RESERVED) != 0) {
      throw new ZipException("it has unknown flags of gzip");
    }
    skip(6); // the time of the file, and what packed it
    if ((flags & FLAG_EXTRA) != 0) {
      skip(nextShort());
    }
    if ((flags & FLAG_NAME) != 0) {
      skipText();
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipText();
    }
    int header = (int) sum.getValue() & 0xffff;
    if ((flags & FLAG_HEADER_SUM) != 0 && header != nextShort()) {
      throw new ZipException("the checksum of its header is wrong");
    }
    sum.reset();
    inflater.reset();
  }

  private void skip(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      next();
    }
  }

  private void skipText() throws IOException {
    while (next() != 0) {
      // The text ends with a zero.
    }
  }

  private int nextInt() throws IOException {
    return nextShort() | nextShort() << 16;
  }

  private int nextShort() throws IOException {
    return next() | next() << 8;
  }

  private int next() throws IOException {
    if (at == end && !fill()) {
      throw new EOFException(CUT);
    }
    int next = packed[at++] & 0xff;
    sum.update(next);
    return next;
  }

  /** Reads more packed bytes, once all earlier ones are used; returns false at their end. */
  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(packed, 0, packed.length));
    return end > 0;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
