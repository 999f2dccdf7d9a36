package hourglass.store.embedded.files;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.pages.PageCodec.PageBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a file by system calls, not from mapped memory. In mapped memory, the first access to a
 * page is a fault, which may take as long as ten reads, and the bytes stay in the memory of the
 * process. Thread-safe.
 */
public final class PositionalReader implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(PositionalReader.class);

  /**
   * The most bytes of one system call: more than a usual page. Each thread keeps as much memory
   * outside the heap as its largest read.
   */
  private static final int READ_BYTES_MAX = 64 << 10;

  /**
   * The length up to which a part is read as a whole, since that takes as long as a read of a few
   * bytes.
   */
  private static final int WHOLE_BYTES_MAX = 4 << 10;

  private final Disk disk;
  private final Path file;

  /** Guarded by this. */
  private Disk.ReadFile open;

  /** Guarded by this. */
  private boolean isClosed;

  PositionalReader(Disk disk, Path file) throws IOException {
    this.disk = disk;
    this.file = file;
    this.open = disk.read(file);
  }

  /**
   * Whether the disk did not return bytes, which may be good. Otherwise the bytes themselves are
   * damaged.
   */
  static boolean isFailureOfDisk(CorruptException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException) {
        return true;
      }
    }
    return false;
  }

  /** Returns a part of the file, of which only the requested bytes are read. */
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
   * Reads bytes. Throws CorruptException without the file's name if the disk does not return them,
   * and UnavailableException if this is closed or the thread is interrupted.
   */
  public void read(long from, byte[] to, int count) {
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

  /** Reads once, and repeats the read if the interrupt of another thread closed the file. */
  private int readSome(ByteBuffer to, long from) throws IOException {
    while (true) {
      try {
        return file().read(to, from);
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (ClosedChannelException e) {
        logger.debug("{}: closed by an interrupt, opened again", file);
      }
    }
  }

  private synchronized Disk.ReadFile file() {
    if (isClosed) {
      throw new UnavailableException(file + ": closed");
    }
    if (!open.isOpen()) {
      try {
        open = disk.read(file);
      } catch (IOException e) {
        throw new UnavailableException(file + ": cannot be opened: " + FileProblem.of(e), e);
      }
    }
    return open;
  }

  /** Closes the file; later reads fail. */
  @Override
  public synchronized void close() {
    isClosed = true;
    QuietClose.quietly(open);
  }
}
