package hourglass.store.embedded.backup;

import hourglass.bucketing.Identity;
import hourglass.store.embedded.disk.Disk;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Reads files, or copies them, and computes the SHA-256 of their bytes. Not thread-safe. */
final class FileCopy {
  private static final int PART_BYTES = 1 << 20;

  private final ByteBuffer part = ByteBuffer.allocate(PART_BYTES);

  /** Accepts the number of bytes that were read. Throws IOException to end the reading. */
  interface Progress {
    void read(long bytes) throws IOException;
  }

  /** Returns the SHA-256 of the first bytes of a file, in hexadecimals. */
  String digest(Path from, long bytes, Progress progress) throws IOException {
    return read(from, bytes, null, progress);
  }

  /**
   * Copies the first bytes of a file to a new one, which is forced, and returns their SHA-256 in
   * hexadecimals. Throws EOFException if the file is shorter.
   */
  String copy(Path from, long bytes, Disk disk, Path to, Progress progress) throws IOException {
    try (Disk.AppendFile out = disk.create(to)) {
      String digest = read(from, bytes, out, progress);
      out.force();
      return digest;
    }
  }

  private String read(Path from, long bytes, Disk.@Nullable AppendFile to, Progress progress)
      throws IOException {
    MessageDigest digest = Identity.newSha256();
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ)) {
      long at = 0;
      while (at < bytes) {
        part.clear().limit((int) Math.min(PART_BYTES, bytes - at));
        int count = in.read(part, at);
        if (count < 0) {
          throw new EOFException(from + ": ends at offset " + at + " of " + bytes);
        }
        digest.update(part.flip());
        if (to != null) {
          to.write(part.rewind());
        }
        at += count;
        progress.read(count);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
