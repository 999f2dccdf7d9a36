package hourglass.store.embedded.files;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.pages.PageCodec.PageBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a file by system calls, not from mapped memory: there the first touch of a page is a fault,
 * which may take as long as ten reads, and its bytes stay in the memory of the process.
 * Thread-safe.
 */
final class PositionalReader implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(PositionalReader.class);

  /**
   * More than a usual page. Threads keep as much memory outside of the heap as their largest read.
   */
  private static final int READ_BYTES_MAX = 64 << 10;

  /** A read of so many bytes takes as long as one of few. */
  private static final int WHOLE_BYTES_MAX = 4 << 10;

  private final Path file;

  /** Guarded by this. */
  private FileChannel channel;

  /** Guarded by this. */
  private boolean isClosed;

  PositionalReader(Path file) throws IOException {
    this.file = file;
    this.channel = FileChannel.open(file, StandardOpenOption.READ);
  }

  /** A part of the file, which is read as far as asked for. */
  PageBytes part(long from, int length) {
    if (length <= WHOLE_BYTES_MAX) {
      byte[] whole = new byte[length];
      read(from, whole, length);
      return PageBytes.of(whole);
    }
    return new Part(this, from, length);
  }

  private record Part(PositionalReader file, long from, int length) implements PageBytes {
    @Override
    public void read(int at, byte[] to, int count) {
      file.read(from + at, to, count);
    }
  }

  /**
   * Throws CorruptException without the file's name if the disk does not return the bytes, and
   * UnavailableException if this is closed or the thread is interrupted.
   */
  void read(long from, byte[] to, int count) {
    ByteBuffer bytes = ByteBuffer.wrap(to, 0, count);
    try {
      while (bytes.position() < count) {
        bytes.limit(Math.min(count, bytes.position() + READ_BYTES_MAX));
        if (readSome(bytes, from + bytes.position()) < 0) {
          throw new CorruptException("the file ends before offset " + (from + count));
        }
      }
    } catch (ClosedByInterruptException e) {
      throw new UnavailableException(file + ": the read was interrupted", e);
    } catch (IOException e) {
      throw new CorruptException("offset " + from + ": " + FileProblem.of(e), e);
    }
  }

  /** Again if the interrupt of another thread closed the file. */
  private int readSome(ByteBuffer to, long from) throws IOException {
    while (true) {
      try {
        return channel().read(to, from);
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (ClosedChannelException e) {
        logger.debug("{}: closed by an interrupt, opened again", file);
      }
    }
  }

  private synchronized FileChannel channel() {
    if (isClosed) {
      throw new UnavailableException(file + ": closed");
    }
    if (!channel.isOpen()) {
      try {
        channel = FileChannel.open(file, StandardOpenOption.READ);
      } catch (IOException e) {
        throw new UnavailableException(file + ": cannot be opened: " + FileProblem.of(e), e);
      }
    }
    return channel;
  }

  /** Later reads fail. */
  @Override
  public synchronized void close() {
    isClosed = true;
    QuietClose.quietly(channel);
  }
}
