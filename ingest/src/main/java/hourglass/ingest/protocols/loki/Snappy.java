package hourglass.ingest.protocols.loki;

import hourglass.ingest.decode.Body;
import hourglass.ingest.http.PushRefused;
import java.io.IOException;

/**
 * Unpacks the block format of Snappy: the unpacked length, and then literals and copies.
 *
 * <p>Source: format_description.txt of google/snappy.
 */
final class Snappy {
  /** The most bytes that a packed byte becomes: three bytes copy at most 64. */
  private static final int RATIO_MAX = 22;

  private Snappy() {}

  /**
   * Returns the unpacked length of a body.
   *
   * @throws PushRefused if it is more than {@code max}, or than the body can contain
   */
  static int unpackedBytes(Body packed, int max) {
    try {
      long length = org.xerial.snappy.Snappy.uncompressedLength(packed.bytes(), 0, packed.length());
      if (length < 0 || length > (long) RATIO_MAX * packed.length()) {
        throw corrupt();
      }
      if (length > max) {
        throw new PushRefused(413, "body: " + length + " bytes unpacked, at most " + max);
      }
      return (int) length;
    } catch (IOException e) {
      throw corrupt();
    }
  }

  /** Unpacks a body whose length was checked. */
  static Body unpack(Body packed) {
    try {
      byte[] in = packed.bytes();
      int length = org.xerial.snappy.Snappy.uncompressedLength(in, 0, packed.length());
      byte[] out = new byte[length + Body.PADDING];
      int written = org.xerial.snappy.Snappy.uncompress(in, 0, packed.length(), out, 0);
      return Body.ofPadded(out, written);
    } catch (IOException e) {
      throw corrupt();
    }
  }

  private static PushRefused corrupt() {
    return new PushRefused(400, "body: not in the block format of snappy");
  }
}
