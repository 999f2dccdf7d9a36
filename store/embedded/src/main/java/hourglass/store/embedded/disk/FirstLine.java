package hourglass.store.embedded.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files of one line, and copes with any other content. */
final class FirstLine {
  /** More than any line has, and short enough to quote in a message. */
  private static final int BYTES_MAX = 100;

  private FirstLine() {}

  /** The content of the file, or its beginning if it is too long. */
  static String of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BYTES_MAX), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IOException(file + ": cannot be read: " + e, e); // the cause may not name the file
    }
  }
}
