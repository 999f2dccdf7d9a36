package hourglass.store.embedded.pages;

import hourglass.store.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The beginning of a Chronicle Map file, little-endian: where it says whether it is complete.
 *
 * <pre>
 *  0              8                       12
 * +--------------+-----------------------+------- - -
 * | checksum     | bit 31: not complete  | the map's settings
 * |              | length of the settings| as text
 * +--------------+-----------------------+------- - -
 * </pre>
 *
 * Chronicle Map takes the mark to mean that another process is at work, and waits a minute for it.
 * Here none is: the directory is locked. A crash left it, or damage.
 */
final class MapHeader {
  private static final int LENGTH_AT = 8;
  private static final int NOT_COMPLETE = 0x8000_0000;
  private static final int LENGTH_MASK = 0x3fff_ffff;

  /** They take less than 2 KiB; Chronicle Map makes room for whatever is said here. */
  private static final int LENGTH_MAX = 64 << 10;

  private MapHeader() {}

  /**
   * Takes the mark away if it is there.
   *
   * @return whether it was: then nothing may be put into the map any more
   * @throws CorruptException if this cannot be the beginning of a map
   */
  static boolean complete(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      int read = channel.read(word, LENGTH_AT);
      int length = read < Integer.BYTES ? 0 : word.getInt(0) & LENGTH_MASK;
      long lengthMax = Math.min(LENGTH_MAX, channel.size() - LENGTH_AT - Integer.BYTES);
      if (length == 0 || length > lengthMax) {
        throw new CorruptException(
            file + ": offset " + LENGTH_AT + ": no header; restore the file");
      }
      if ((word.getInt(0) & NOT_COMPLETE) == 0) {
        return false;
      }
      word.putInt(0, word.getInt(0) & ~NOT_COMPLETE).rewind();
      channel.write(word, LENGTH_AT);
      return true;
    }
  }
}
