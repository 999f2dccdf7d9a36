package hourglass.load.importing;

import hourglass.load.command.LoadFailure;
import hourglass.load.event.PackedInput;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The unpacked bytes of an input, in pieces. For one thread. */
interface Chunks extends AutoCloseable {
  int BYTES = 1 << 20;

  /**
   * Returns the next bytes. They are empty if none arrived for a while, and null at the end of the
   * input.
   *
   * @throws IOException if the input is damaged, cut off or cannot be read
   */
  byte @Nullable [] next() throws IOException;

  @Override
  void close() throws IOException;

  /**
   * Returns the bytes of a file.
   *
   * @param readBytes counts the packed bytes
   */
  static Chunks ofFile(InputStream file, AtomicLong readBytes) throws IOException {
    InputStream in = PackedInput.open(new Counted(file, readBytes));
    byte[] buffer = new byte[BYTES];
    return new Chunks() {
      @Override
      public byte @Nullable [] next() throws IOException {
        // This does not use readNBytes: if the end is damaged, that would drop the bytes before it.
        int count = in.read(buffer);
        return count < 0 ? null : Arrays.copyOf(buffer, count);
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }

  /** Counts the bytes that are read. */
  final class Counted extends FilterInputStream {
    private final AtomicLong bytes;

    private Counted(InputStream in, AtomicLong bytes) {
      super(in);
      this.bytes = bytes;
    }

    @Override
    public int read() throws IOException {
      int one = in.read();
      bytes.addAndGet(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int count = in.read(to, from, length);
      bytes.addAndGet(Math.max(0, count));
      return count;
    }
  }

  /** Reads the bytes of a pipe, whose writer may pause. A separate thread reads ahead. */
  final class OfPipe implements Chunks {
    private static final byte[] NOTHING = {};
    private static final int AHEAD = 4;

    private final long idleMillis;

    /** The chunks that were read ahead. An empty one marks the end. */
    private final BlockingQueue<byte[]> chunks = new ArrayBlockingQueue<>(AHEAD);

    private volatile @Nullable IOException failure;

    /**
     * Begins to read.
     *
     * @param idleMillis the pause of the writer after which {@link #next} returns without bytes
     */
    OfPipe(InputStream pipe, long idleMillis) {
      this.idleMillis = idleMillis;
      Thread reader = new Thread(() -> read(pipe), "import-pipe");
      reader.setDaemon(true);
      reader.start();
    }

    private void read(InputStream pipe) {
      try {
        try (InputStream in = PackedInput.open(pipe)) {
          byte[] buffer = new byte[BYTES];
          for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            if (count > 0) {
              chunks.put(Arrays.copyOf(buffer, count));
            }
          }
        } catch (IOException e) {
          failure = e;
        }
        chunks.put(NOTHING);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public byte @Nullable [] next() throws IOException {
      try {
        byte[] chunk = chunks.poll(idleMillis, TimeUnit.MILLISECONDS);
        if (chunk == null || chunk.length > 0) {
          return chunk == null ? NOTHING : chunk;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new LoadFailure("interrupted", e);
      }
      IOException broken = failure;
      if (broken != null) {
        throw broken;
      }
      return null;
    }

    /**
     * Does nothing. The pipe stays open until it or the process ends, because a thread may be
     * reading it.
     */
    @Override
    public void close() {}
  }
}
