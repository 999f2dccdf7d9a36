package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.command.Limits;
import hourglass.load.command.LoadFailure;
import hourglass.load.event.Lines;
import io.vertx.core.buffer.Buffer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an NDJSON file, plain or gzip (by its first bytes). Lines are passed on as they are,
 * right or wrong; blank ones are left out, since no target counts them.
 */
public final class FileSource implements BatchSource {
  private static final int READ_BYTES = 1 << 20;

  private final Path file;
  private final int batchEvents;
  private final long eventsMax;

  /**
   * @param eventsMax how many events at most, from the start of the file
   */
  public FileSource(Path file, int batchEvents, long eventsMax) {
    this.file = file;
    this.batchEvents = batchEvents;
    this.eventsMax = eventsMax;
  }

  @Override
  public long events() {
    return -1;
  }

  @Override
  public Reader open() throws IOException {
    return new LineReader(unpacked(Files.newInputStream(file)));
  }

  private static InputStream unpacked(InputStream raw) throws IOException {
    BufferedInputStream in = new BufferedInputStream(raw, READ_BYTES);
    in.mark(2);
    boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    return gzip ? new GZIPInputStream(in, READ_BYTES) : in;
  }

  /**
   * Collects lines in one buffer:
   *
   * <pre>
   *   0        batchEnd      scanned    filled     capacity
   *   | lines so far | part of a line | unread |          |
   * </pre>
   */
  private final class LineReader implements Reader {
    private final InputStream in;
    private byte[] buffer = new byte[2 * READ_BYTES];
    private int filled;
    private int batchEnd;
    private int scanned;
    private int lines;
    private int batches;
    private long eventsBefore;
    private boolean ended;

    LineReader(InputStream in) {
      this.in = in;
    }

    @Override
    public @Nullable Batch next() throws IOException {
      while (!full() && advance()) {}
      return lines == 0 ? null : take();
    }

    private boolean full() {
      return lines == batchEvents
          || batchEnd >= Limits.BATCH_BYTES_MAX
          || eventsBefore + lines == eventsMax;
    }

    /** One line further; false when there is none. */
    private boolean advance() throws IOException {
      int end = Lines.indexOfBreak(buffer, scanned, filled);
      if (end < 0) {
        scanned = filled;
        return fill() || lastLine();
      }
      endLine(end + 1);
      return true;
    }

    /** A line without a break at the end of the file gets one. */
    private boolean lastLine() {
      if (filled == batchEnd) {
        return false;
      }
      ensureRoom(1);
      buffer[filled++] = '\n';
      endLine(filled);
      return true;
    }

    private void endLine(int end) {
      if (Lines.isBlank(buffer, batchEnd, end)) {
        System.arraycopy(buffer, end, buffer, batchEnd, filled - end);
        filled -= end - batchEnd;
      } else {
        batchEnd = end;
        lines++;
      }
      scanned = batchEnd;
    }

    private boolean fill() throws IOException {
      if (ended) {
        return false;
      }
      ensureRoom(READ_BYTES);
      int read = in.read(buffer, filled, buffer.length - filled);
      ended = read < 0;
      filled += Math.max(read, 0);
      if (filled - batchEnd > Limits.LINE_BYTES_MAX && scanned - batchEnd > Limits.LINE_BYTES_MAX) {
        throw new LoadFailure(
            "%s: a line of more than %,d bytes (event %,d)"
                .formatted(file, Limits.LINE_BYTES_MAX, eventsBefore + lines));
      }
      return !ended;
    }

    private void ensureRoom(int bytes) {
      if (buffer.length - filled < bytes) {
        buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, filled + bytes));
      }
    }

    private Batch take() {
      Batch batch =
          Batch.plain(
              batches++,
              eventsBefore,
              lines,
              Buffer.buffer(batchEnd).appendBytes(buffer, 0, batchEnd));
      eventsBefore += lines;
      System.arraycopy(buffer, batchEnd, buffer, 0, filled - batchEnd);
      filled -= batchEnd;
      scanned -= batchEnd;
      batchEnd = 0;
      lines = 0;
      return batch;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
