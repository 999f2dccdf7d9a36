package hourglass.store.embedded.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The operating system's disk. */
public final class SystemDisk implements Disk {

  @Override
  public AppendFile create(Path file) throws IOException {
    return new ChannelFile(
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), 0);
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    return new ChannelFile(channel, channel.size());
  }

  @Override
  public void forceDirectory(Path dir) throws IOException {
    try (FileChannel channel = FileChannel.open(dir, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void createDirectories(Path dir) throws IOException {
    if (Files.isDirectory(dir)) {
      return;
    }
    Path parent = dir.toAbsolutePath().getParent();
    if (parent != null) {
      createDirectories(parent);
    }
    Files.createDirectories(dir);
    if (parent != null) {
      forceDirectory(parent);
    }
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void link(Path existing, Path name) throws IOException {
    Files.createLink(name, existing);
  }

  @Override
  public long usableBytes(Path path) {
    // This is called for every write; Files.getFileStore would read the table of mounts.
    return path.toFile().getUsableSpace();
  }

  @Override
  public long totalBytes(Path path) throws IOException {
    return Files.getFileStore(path).getTotalSpace();
  }

  private static final class ChannelFile implements AppendFile {
    private final FileChannel channel;
    private long size;

    ChannelFile(FileChannel channel, long size) {
      this.channel = channel;
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void lock() throws IOException {
      if (channel.tryLock() == null) {
        throw new IOException("locked by another process");
      }
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        size += channel.write(bytes, size);
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void truncate(long newSize) throws IOException {
      channel.truncate(newSize);
      size = newSize;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
