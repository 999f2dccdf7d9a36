package hourglass.store.embedded.disk;

import hourglass.store.CorruptException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file with two numbers that bound the content of other files from below. It reveals that data
 * was lost at an end which a crash could also have cut off. The file is one line, such as {@code 7
 * 9 2ab1f03c}; the last word is the CRC32C of the text before it. It is replaced atomically, so it
 * is never torn.
 */
public record Watermark(long first, long last) {
  /** Reads the file; null if it does not exist. */
  public static @Nullable Watermark read(Path file) throws IOException {
    if (!FileKind.FILE.isAt(file)) {
      return null;
    }
    String found = StoreFiles.firstLine(file);
    String[] words = found.split(" ", -1);
    try {
      Watermark mark = new Watermark(Long.parseLong(words[0]), Long.parseLong(words[1]));
      if (found.equals(mark.text())) {
        return mark;
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw damaged(file, e);
    }
    throw damaged(file, null);
  }

  private static CorruptException damaged(Path file, @Nullable Exception cause) {
    return new CorruptException(
        file
            + ": offset 0: damaged; restore it, or remove it: then nothing shows whether a file"
            + " beside it is complete",
        cause);
  }

  public void write(Disk disk, Path file) throws IOException {
    disk.replace(file, text());
  }

  private String text() {
    String numbers = first + " " + last;
    CRC32C crc = new CRC32C();
    crc.update(numbers.getBytes(StandardCharsets.US_ASCII));
    return String.format("%s %08x%n", numbers, crc.getValue()).replace("\r", "");
  }
}
