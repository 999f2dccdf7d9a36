package hourglass.store.embedded.disk;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.DirectoryWatch.Watched;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A disk that refuses all changes, including forces, once the locked data directory is lost: writes
 * into a deleted file must not be acknowledged. Thread-safe.
 */
public final class OwnedDisk implements Disk {
  private final Disk disk;
  private final DirectoryWatch watch;

  public OwnedDisk(Disk disk, DirectoryWatch watch) {
    this.disk = disk;
    this.watch = watch;
  }

  private Disk owned(Watched... files) throws IOException {
    try {
      watch.check(files);
      return disk;
    } catch (UnavailableException e) {
      throw new IOException(e.getMessage(), e); // the type of other disk failures
    }
  }

  @Override
  public AppendFile create(Path file) throws IOException {
    return owned(owned().create(file), file);
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    return owned(owned().append(file), file);
  }

  @Override
  public ReadFile read(Path file) throws IOException {
    return disk.read(file);
  }

  private AppendFile owned(AppendFile file, Path path) throws IOException {
    try {
      return new OwnedFile(file, Watched.now(path), this);
    } catch (IOException e) {
      QuietClose.quietly(file);
      throw e;
    }
  }

  @Override
  public void forceDirectory(Path dir) throws IOException {
    owned().forceDirectory(dir);
  }

  @Override
  public void createDirectories(Path dir) throws IOException {
    owned().createDirectories(dir);
  }

  @Override
  public void delete(Path file) throws IOException {
    owned().delete(file);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    owned().move(from, to);
  }

  @Override
  public void link(Path existing, Path name) throws IOException {
    owned().link(existing, name);
  }

  @Override
  public long usableBytes(Path path) throws IOException {
    return disk.usableBytes(path);
  }

  @Override
  public long totalBytes(Path path) throws IOException {
    return disk.totalBytes(path);
  }

  private record OwnedFile(AppendFile file, Watched watched, OwnedDisk disk) implements AppendFile {
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
      var unused = disk.owned(watched);
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
