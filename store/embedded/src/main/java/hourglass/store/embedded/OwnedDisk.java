package hourglass.store.embedded;

import hourglass.store.UnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A disk that changes nothing in a data directory once it is no longer the one that was locked, and
 * counts no force as done then: what was forced into a deleted file, or elsewhere, must not be
 * acknowledged. Thread-safe.
 */
final class OwnedDisk implements Disk {
  private final Disk disk;
  private final FolderWatch watch;

  OwnedDisk(Disk disk, FolderWatch watch) {
    this.disk = disk;
    this.watch = watch;
  }

  private void check() throws IOException {
    try {
      watch.check();
    } catch (UnavailableException e) {
      throw new IOException(e.getMessage(), e); // as any other operation that the disk refuses
    }
  }

  @Override
  public AppendFile create(Path file) throws IOException {
    check();
    return owned(disk.create(file), file);
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    check();
    return owned(disk.append(file), file);
  }

  private AppendFile owned(AppendFile file, Path path) throws IOException {
    try {
      return new OwnedFile(file, path, FolderWatch.identity(path));
    } catch (IOException e) {
      Closing.quietly(file);
      throw e;
    }
  }

  @Override
  public void forceMapped(Path file) throws IOException {
    check();
    disk.forceMapped(file);
  }

  @Override
  public void forceDirectory(Path dir) throws IOException {
    check();
    disk.forceDirectory(dir);
  }

  @Override
  public void createDirectories(Path dir) throws IOException {
    check();
    disk.createDirectories(dir);
  }

  @Override
  public void delete(Path file) throws IOException {
    check();
    disk.delete(file);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    check();
    disk.move(from, to);
  }

  @Override
  public long usableBytes(Path path) throws IOException {
    return disk.usableBytes(path);
  }

  @Override
  public long totalBytes(Path path) throws IOException {
    return disk.totalBytes(path);
  }

  private final class OwnedFile implements AppendFile {
    private final AppendFile file;
    private final Path path;
    private final Object identity;

    OwnedFile(AppendFile file, Path path, Object identity) {
      this.file = file;
      this.path = path;
      this.identity = identity;
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public void lock() throws IOException {
      file.lock();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      file.write(bytes);
    }

    @Override
    public void force() throws IOException {
      file.force();
      check();
      try {
        watch.check(path, identity);
      } catch (UnavailableException e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
