package hourglass.store.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Predicate;

/** A disk with as much room as a test says, whose operations fail when it says so. Thread-safe. */
final class FaultyDisk implements Disk {
  private final Disk disk = new SystemDisk();
  volatile long usableBytes = Long.MAX_VALUE;

  /** Which operations fail, as "write inventory" or "force N.log"; asked once for each. */
  volatile Predicate<String> failing = operation -> false;

  private void check(String operation, Path file) throws IOException {
    if (failing.test(operation + " " + file.getFileName().toString().replaceAll("[0-9]+", "N"))) {
      throw new IOException("No space left on device");
    }
  }

  @Override
  public AppendFile create(Path file) throws IOException {
    check("create", file);
    return new FaultyFile(disk.create(file), file);
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    check("append", file);
    return new FaultyFile(disk.append(file), file);
  }

  @Override
  public void forceMapped(Path file) throws IOException {
    check("forceMapped", file);
    disk.forceMapped(file);
  }

  @Override
  public void forceDirectory(Path dir) throws IOException {
    check("forceDirectory", dir);
    disk.forceDirectory(dir);
  }

  @Override
  public void createDirectories(Path dir) throws IOException {
    check("createDirectories", dir);
    disk.createDirectories(dir);
  }

  @Override
  public void delete(Path file) throws IOException {
    check("delete", file);
    disk.delete(file);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    check("move", from);
    disk.move(from, to);
  }

  @Override
  public long usableBytes(Path path) {
    return usableBytes;
  }

  @Override
  public long totalBytes(Path path) {
    return 100L << 30;
  }

  private final class FaultyFile implements AppendFile {
    private final AppendFile inner;
    private final Path file;

    FaultyFile(AppendFile inner, Path file) {
      this.inner = inner;
      this.file = file;
    }

    @Override
    public long size() {
      return inner.size();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      try {
        check("write", file);
      } catch (IOException e) {
        // A disk that fills up takes the part that still fits.
        int part = bytes.remaining() * 2 / 3;
        inner.write(bytes.slice(bytes.position(), part));
        bytes.position(bytes.position() + part);
        throw e;
      }
      inner.write(bytes);
    }

    @Override
    public void force() throws IOException {
      check("force", file);
      inner.force();
    }

    @Override
    public void truncate(long size) throws IOException {
      check("truncate", file);
      inner.truncate(size);
    }

    @Override
    public void close() throws IOException {
      inner.close();
      check("close", file);
    }
  }
}
