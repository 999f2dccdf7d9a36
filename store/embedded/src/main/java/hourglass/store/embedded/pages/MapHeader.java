package hourglass.store.embedded.pages;

import hourglass.store.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The header of a Chronicle Map file, little-endian, which says whether the file is complete.
 *
 * <pre>
 *  0              8                       12
 * +--------------+-----------------------+------- - -
 * | checksum     | bit 31: not complete  | the map's settings
 * |              | length of the settings| as text
 * +--------------+-----------------------+------- - -
 * </pre>
 *
 * If the bit is set, Chronicle Map assumes another process at work and waits a minute for it. The
 * directory is locked, so here the bit can only be left by a crash or by damage.
 */
final class MapHeader {
  private static final int LENGTH_AT = 8;
  private static final int NOT_COMPLETE = 0x8000_0000;
  private static final int LENGTH_MASK = 0x3fff_ffff;

  /** Settings take less than 2 KiB. Chronicle Map allocates any length that the file states. */
  private static final int LENGTH_MAX = 64 << 10;

  private MapHeader() {}

  /**
   * Clears the bit if it is set.
   *
   * @return whether it was set: then no more pages may be put into the map
   * @throws CorruptException if the file has no valid header
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
