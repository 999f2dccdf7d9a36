package hourglass.program.http;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Bodies of requests, packed, cut off, damaged or made to be too much. */
final class OddBodies {
  private OddBodies() {}

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Stream.of(parts).forEach(all::writeBytes);
    return all.toByteArray();
  }

  static byte[] repeat(byte[] bytes, int times) {
    return join(Stream.generate(() -> bytes).limit(times).toArray(byte[][]::new));
  }

  static byte[] head(byte[] bytes, int cut) {
    return Arrays.copyOf(bytes, bytes.length - cut);
  }

  static byte[] flipped(byte[] bytes) {
    bytes[bytes.length / 2] ^= 0x40;
    return bytes;
  }

  static byte[] noise() {
    byte[] noise = new byte[20_000];
    new Random(1).nextBytes(noise);
    return noise;
  }

  static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  /** A small frame that asks its reader for 128 MiB. */
  static byte[] longWindow(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(packed)) {
      out.setLong(27);
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}
