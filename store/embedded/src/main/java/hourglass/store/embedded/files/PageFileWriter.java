package hourglass.store.embedded.files;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.SpaceGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Writes one page file under a temporary name, and gives it its name once it is whole and forced.
 * Not thread-safe.
 */
final class PageFileWriter {
  /** The bytes that are written by one system call, unless a page is longer. */
  private static final int BUFFER_BYTES = 256 << 10;

  private final Disk disk;
  private final Path path;
  private final Path unfinished;
  private final Disk.AppendFile file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

  /** The bytes that may be written before the free space is looked up again. */
  private long checkedBytes;

  private PageFileWriter(Disk disk, Path path, Path unfinished, Disk.AppendFile file) {
    this.disk = disk;
    this.path = path;
    this.unfinished = unfinished;
    this.file = file;
  }

  static PageFileWriter begin(Disk disk, Path path, Path unfinished, long number)
      throws IOException {
    disk.delete(unfinished); // left by a failed attempt
    PageFileWriter writer = new PageFileWriter(disk, path, unfinished, disk.create(unfinished));
    writer.buffer.put(PageFileFormat.head(number));
    return writer;
  }

  /** The offset of the next byte in the file. */
  long position() {
    return file.size() + buffer.position();
  }

  /** Appends bytes, and returns their offset. */
  long append(ByteBuffer bytes) throws IOException {
    checkRoom(bytes.remaining());
    long at = position();
    if (buffer.remaining() < bytes.remaining()) {
      flush();
    }
    if (bytes.remaining() > buffer.capacity()) {
      file.write(bytes);
    } else {
      buffer.put(bytes);
    }
    return at;
  }

  /** Throws if the disk is almost full, since log and catalogue need the rest. */
  private void checkRoom(int bytes) throws IOException {
    if (bytes > checkedBytes) {
      long usable = disk.usableBytes(path.resolveSibling(""));
      if (usable - bytes < SpaceGuard.ROOM_BYTES_MIN) {
        throw new IOException(
            "%s: %s bytes free, a page of %s must leave %s; make room on the disk"
                .formatted(path, usable, bytes, SpaceGuard.ROOM_BYTES_MIN));
      }
      checkedBytes = bytes + BUFFER_BYTES;
    }
    checkedBytes -= bytes;
  }

  private void flush() throws IOException {
    file.write(buffer.flip());
    buffer.clear();
  }

  /** Ends the file, which is durable under its name on return. */
  void finish(ByteBuffer foot) throws IOException {
    append(foot);
    flush();
    file.force();
    QuietClose.quietly(file);
    disk.move(unfinished, path);
    disk.forceDirectory(path.resolveSibling(""));
  }

  /** Removes the file, which was not finished. */
  void abandon() throws IOException {
    QuietClose.quietly(file);
    disk.delete(unfinished);
  }
}
