package hourglass.store.embedded.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files of one line of ours, whatever has come to be in their place. */
final class FirstLine {
  /** Far more than any of them has; not so much that it could not be quoted in a message. */
  private static final int BYTES_MAX = 100;

  private FirstLine() {}

  /** The file, or enough of its beginning to show that it is another. */
  static String of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BYTES_MAX), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IOException(file + ": cannot be read: " + e, e); // which may not name it
    }
  }
}
