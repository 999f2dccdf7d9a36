package hourglass.store.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import net.openhft.posix.PosixAPI;

/** Reads the blocks of a file that are not holes; a map of 500 MB may hold 1 MB of them. */
final class SparseFile {
  static final int BLOCK_BYTES = 4096;

  // Of Linux; the library's own enum counts from 1.
  private static final int SEEK_DATA = 3;
  private static final int SEEK_HOLE = 4;

  private static final byte[] ZEROS = new byte[BLOCK_BYTES];

  private SparseFile() {}

  /** Every block that is not all zeros, by its number. */
  static Map<Integer, byte[]> blocks(Path file) throws IOException {
    Map<Integer, byte[]> blocks = new HashMap<>();
    int fd = PosixAPI.posix().open(file.toString(), 0, 0);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      long at = nextData(fd, 0, size);
      while (at < size) {
        long hole = Math.min(size, PosixAPI.posix().lseek(fd, at, SEEK_HOLE));
        readBlocks(channel, at, hole, blocks);
        at = nextData(fd, hole, size);
      }
    } finally {
      PosixAPI.posix().close(fd);
    }
    return blocks;
  }

  private static long nextData(int fd, long from, long size) {
    long at = from < size ? PosixAPI.posix().lseek(fd, from, SEEK_DATA) : -1;
    return at < 0 ? size : at;
  }

  private static void readBlocks(
      FileChannel channel, long from, long to, Map<Integer, byte[]> blocks) throws IOException {
    for (long at = from / BLOCK_BYTES * BLOCK_BYTES; at < to; at += BLOCK_BYTES) {
      byte[] block = new byte[BLOCK_BYTES];
      channel.read(ByteBuffer.wrap(block), at);
      if (!Arrays.equals(block, ZEROS)) {
        blocks.put((int) (at / BLOCK_BYTES), block);
      }
    }
  }

  /** Makes a file of a size with these blocks, and holes between them. */
  static void write(Path file, long size, Map<Integer, byte[]> blocks) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (Map.Entry<Integer, byte[]> block : blocks.entrySet()) {
        channel.write(
            ByteBuffer.wrap(block.getValue()), (long) block.getKey() * SparseFile.BLOCK_BYTES);
      }
      if (channel.size() > size) {
        channel.truncate(size);
      } else if (channel.size() < size) {
        channel.write(ByteBuffer.wrap(new byte[1]), size - 1);
      }
    }
  }
}
