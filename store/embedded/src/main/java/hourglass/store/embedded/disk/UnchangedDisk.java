package hourglass.store.embedded.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A disk on which every change seems to succeed, and nothing is changed. A check opens a data
 * directory with it like a start does, and leaves the directory as it is. Thread-safe.
 */
public final class UnchangedDisk implements Disk {
  @Override
  public AppendFile create(Path file) {
    return new UnchangedFile(0);
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    return new UnchangedFile(Files.size(file));
  }

  @Override
  public void forceDirectory(Path dir) {
    // There is nothing to force.
  }

  @Override
  public void createDirectories(Path dir) {
    // It stays absent, and its readers find it empty.
  }

  @Override
  public void delete(Path file) {
    // It stays.
  }

  @Override
  public void move(Path from, Path to) {
    // It stays.
  }

  @Override
  public void link(Path existing, Path name) {
    // The name stays absent.
  }

  @Override
  public long usableBytes(Path path) {
    return Long.MAX_VALUE;
  }

  @Override
  public long totalBytes(Path path) {
    return Long.MAX_VALUE;
  }

  private static final class UnchangedFile implements AppendFile {
    private long size;

    UnchangedFile(long size) {
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void lock() {
      // No other process needs to be kept from a file that is not written.
    }

    @Override
    public void write(ByteBuffer bytes) {
      size += bytes.remaining();
      bytes.position(bytes.limit());
    }

    @Override
    public void force() {
      // There is nothing to force.
    }

    @Override
    public void truncate(long newSize) {
      size = newSize;
    }

    @Override
    public void close() {
      // There is nothing to close.
    }
  }
}
