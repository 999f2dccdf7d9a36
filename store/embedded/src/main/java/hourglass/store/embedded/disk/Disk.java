package hourglass.store.embedded.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Everything the engine does that changes a disk, and when it counts on it being there after a
 * power cut. Reading needs no such seam. Thread-safe.
 */
public interface Disk {

  /** Makes a new file to append to; its name is durable after {@link #forceDirectory}. */
  AppendFile create(Path file) throws IOException;

  /** Opens a file to append to. */
  AppendFile append(Path file) throws IOException;

  /** Flushes what was written through a mapping of a file. */
  void forceMapped(Path file) throws IOException;

  /** Makes names in a directory durable: those made, moved and deleted. */
  void forceDirectory(Path dir) throws IOException;

  /** Makes a directory, and those above it; durable on return. */
  void createDirectories(Path dir) throws IOException;

  void delete(Path file) throws IOException;

  void move(Path from, Path to) throws IOException;

  /** Bytes that can still be written to the disk that holds a path. */
  long usableBytes(Path path) throws IOException;

  /** The size of the disk that holds a path. */
  long totalBytes(Path path) throws IOException;

  /** A file that only grows, but for {@link #truncate}. Not thread-safe. */
  interface AppendFile extends Closeable {
    long size();

    /**
     * Keeps other processes from locking the file until it is closed, or this process ends. No
     * other descriptor of the file may be closed by this process meanwhile: that would let go of
     * it.
     */
    void lock() throws IOException;

    /** Appends all that remains in the buffer. */
    void write(ByteBuffer bytes) throws IOException;

    /** Returns once everything appended would survive a power cut. */
    void force() throws IOException;

    /** Cuts the file; durable after {@link #force}. */
    void truncate(long size) throws IOException;
  }
}
