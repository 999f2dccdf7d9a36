package hourglass.store.embedded;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * A disk with as much room as a test says, whose operations fail when it says so, and which can be
 * held still. Thread-safe.
 */
public final class FaultyDisk implements Disk {
  private final Disk disk = new SystemDisk();
  private final ReadWriteLock operations = new ReentrantReadWriteLock();
  volatile long usableBytes = Long.MAX_VALUE;

  /** Which operations fail, as "write CATALOGUE" or "force N.log"; asked before each begins. */
  public volatile Predicate<String> failing = operation -> false;

  /** Positions of files at which reads fail. */
  volatile LongPredicate unreadable = from -> false;

  /** Keeps operations from beginning until closed; none is under way. */
  Held holdStill() {
    return hold(operations.writeLock());
  }

  private Held begin(String operation, Path file) throws IOException {
    check(operation, file);
    return hold(operations.readLock());
  }

  private static Held hold(Lock lock) {
    lock.lock();
    return lock::unlock;
  }

  /** Closed by the thread that holds it. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  private void check(String operation, Path file) throws IOException {
    if (failing.test(operation + " " + file.getFileName().toString().replaceAll("[0-9]+", "N"))) {
      throw new IOException("No space left on device");
    }
  }

  @Override
  public AppendFile create(Path file) throws IOException {
    try (Held held = begin("create", file)) {
      return new FaultyFile(disk.create(file), file);
    }
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    try (Held held = begin("append", file)) {
      return new FaultyFile(disk.append(file), file);
    }
  }

  @Override
  public ReadFile read(Path file) throws IOException {
    return new FaultyReads(disk.read(file));
  }

  @Override
  public void forceDirectory(Path dir) throws IOException {
    try (Held held = begin("forceDirectory", dir)) {
      disk.forceDirectory(dir);
    }
  }

  @Override
  public void createDirectories(Path dir) throws IOException {
    try (Held held = begin("createDirectories", dir)) {
      disk.createDirectories(dir);
    }
  }

  @Override
  public void delete(Path file) throws IOException {
    try (Held held = begin("delete", file)) {
      disk.delete(file);
    }
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    try (Held held = begin("move", from)) {
      disk.move(from, to);
    }
  }

  @Override
  public void link(Path existing, Path name) throws IOException {
    try (Held held = begin("link", name)) {
      disk.link(existing, name);
    }
  }

  @Override
  public long usableBytes(Path path) {
    return usableBytes;
  }

  @Override
  public long totalBytes(Path path) {
    return 100L << 30;
  }

  private final class FaultyReads implements ReadFile {
    private final ReadFile inner;

    FaultyReads(ReadFile inner) {
      this.inner = inner;
    }

    @Override
    public int read(ByteBuffer to, long from) throws IOException {
      if (unreadable.test(from)) {
        throw new IOException("Input/output error");
      }
      return inner.read(to, from);
    }

    @Override
    public boolean isOpen() {
      return inner.isOpen();
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
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
    public void lock() throws IOException {
      inner.lock();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      try {
        check("write", file);
      } catch (IOException e) {
        // A disk that fills up takes the part that still fits.
        int part = bytes.remaining() * 2 / 3;
        append(bytes.slice(bytes.position(), part));
        bytes.position(bytes.position() + part);
        throw e;
      }
      append(bytes);
    }

    private void append(ByteBuffer bytes) throws IOException {
      try (Held held = hold(operations.readLock())) {
        inner.write(bytes);
      }
    }

    @Override
    public void force() throws IOException {
      try (Held held = begin("force", file)) {
        inner.force();
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      try (Held held = begin("truncate", file)) {
        inner.truncate(size);
      }
    }

    @Override
    public void close() throws IOException {
      inner.close();
      check("close", file);
    }
  }
}
