package hourglass.store.embedded.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * All operations of the engine that change a disk, their durability after a power cut, and reads at
 * positions of files. Thread-safe.
 */
public interface Disk {

  /** Creates a file. Its name is durable after {@link #forceDirectory}. */
  AppendFile create(Path file) throws IOException;

  AppendFile append(Path file) throws IOException;

  /** Opens a file to read from it. */
  default ReadFile read(Path file) throws IOException {
    return new ChannelReads(FileChannel.open(file, StandardOpenOption.READ));
  }

  /** Makes creations, moves and deletions in a directory durable. */
  void forceDirectory(Path dir) throws IOException;

  /** Creates a directory and its parents; they are durable on return. */
  void createDirectories(Path dir) throws IOException;

  void delete(Path file) throws IOException;

  void move(Path from, Path to) throws IOException;

  /**
   * Gives a file that is never changed another name, which is durable after {@link
   * #forceDirectory}. Throws IOException if the names are on different file systems.
   */
  void link(Path existing, Path name) throws IOException;

  /** Replaces a small file atomically, through FILE.new; the new file is durable on return. */
  default void replace(Path file, String text) throws IOException {
    Path made = file.resolveSibling(file.getFileName() + ".new");
    delete(made); // left by a failed attempt
    try (AppendFile out = create(made)) {
      out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      out.force();
    }
    move(made, file);
    forceDirectory(file.resolveSibling(""));
  }

  long usableBytes(Path path) throws IOException;

  long totalBytes(Path path) throws IOException;

  /** A file that is read. An interrupt of a reading thread closes it. Thread-safe. */
  interface ReadFile extends Closeable {
    /** Reads like {@link FileChannel#read(ByteBuffer, long)}. */
    int read(ByteBuffer to, long from) throws IOException;

    boolean isOpen();
  }

  /** A file of the operating system that is read. */
  record ChannelReads(FileChannel channel) implements ReadFile {
    @Override
    public int read(ByteBuffer to, long from) throws IOException {
      return channel.read(to, from);
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** A file that only grows, except by {@link #truncate}. Not thread-safe. */
  interface AppendFile extends Closeable {
    long size();

    /**
     * Locks the file against other processes until it is closed or this process ends. Closing
     * another descriptor of the file would release the lock.
     */
    void lock() throws IOException;

    void write(ByteBuffer bytes) throws IOException;

    void force() throws IOException;

    /** Cuts the file to a size, which is durable after {@link #force}. */
    void truncate(long size) throws IOException;
  }
}
