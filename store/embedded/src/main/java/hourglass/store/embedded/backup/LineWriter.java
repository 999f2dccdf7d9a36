package hourglass.store.embedded.backup;

import hourglass.bucketing.Identity;
import hourglass.store.embedded.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Writes lines of words that tabs separate, and computes their SHA-256. Keeps one buffer in memory.
 * Not thread-safe.
 */
final class LineWriter {
  private static final int BUFFER_BYTES = 64 << 10;

  private final Disk.AppendFile file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private final MessageDigest digest = Identity.newSha256();

  LineWriter(Disk.AppendFile file) {
    this.file = file;
  }

  void line(String... words) throws IOException {
    put(String.join("\t", words) + "\n");
  }

  private void put(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(bytes);
    if (buffer.remaining() < bytes.length) {
      flush();
    }
    buffer.put(bytes);
  }

  private void flush() throws IOException {
    file.write(buffer.flip());
    buffer.clear();
  }

  /** Ends the file, and returns the SHA-256 of all of it. */
  String end() throws IOException {
    flush();
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Ends the file with a line whose last word is the SHA-256 of all bytes before that. */
  void endWithDigest(String... words) throws IOException {
    String begin = String.join("\t", words) + "\t";
    digest.update(begin.getBytes(StandardCharsets.UTF_8));
    String sha256 = HexFormat.of().formatHex(digest.digest());
    put(begin + sha256 + "\n");
    flush();
  }
}
