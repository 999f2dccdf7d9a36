package hourglass.store.embedded.late;

import hourglass.store.LateArrival;
import hourglass.store.embedded.codec.NamesCodec;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends records to the newest file of late arrivals, and begins new files. Not thread-safe. */
final class LateArrivalWriter implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(LateArrivalWriter.class);

  /** Files are deleted whole, and read whole by a reader that continues in the middle. */
  private static final long FILE_BYTES = 4 << 20;

  private final Disk disk;
  private final StoreFiles files;
  private final ByteBuffer staging = FrameWriter.staging();
  private final NamesCodec codec = new NamesCodec();
  private @Nullable FrameWriter file;
  private long number;
  private long bytes;

  /**
   * Creates a writer, which will begin a new file.
   *
   * @param number the newest file on disk, 0 if none; it is not written again
   * @param bytes the valid length of that file
   */
  LateArrivalWriter(Disk disk, StoreFiles files, long number, long bytes) {
    this.disk = disk;
    this.files = files;
    this.number = number;
    this.bytes = bytes;
  }

  /** The number of the newest file. */
  long number() {
    return number;
  }

  /** The valid length of the newest file. */
  long bytes() {
    return bytes;
  }

  /** Appends records, all or none; durable on return. */
  void append(List<LateArrival> notes, long millis) throws IOException {
    FrameWriter before = file;
    FrameWriter out = before == null || before.size() >= FILE_BYTES ? next() : before;
    try {
      out.putLong(millis);
      for (LateArrival note : notes) {
        LateArrivalRecord.write(out, note, codec);
      }
      out.endGroup();
      bytes = out.durableSize();
    } catch (IOException | RuntimeException e) {
      // The bytes left there do not count, and the log still holds the records for a retry.
      endFile();
      throw e;
    }
    witnessEnd();
  }

  /**
   * Records the end of the file, so that a later loss is noticed. A failure has no other effect.
   */
  private void witnessEnd() {
    try {
      new Watermark(number, bytes).write(disk, files.arrivalsEnd());
    } catch (IOException e) {
      logger.warn("{}: cannot be written: {}", files.arrivalsEnd(), e.toString());
    }
  }

  private FrameWriter next() throws IOException {
    endFile();
    long next = number + 1;
    disk.delete(files.arrivals(next)); // left by a failed attempt
    Disk.AppendFile made = disk.create(files.arrivals(next));
    try {
      FrameWriter begun =
          FrameWriter.begin(
              made, staging, new FramePreamble(FramePreamble.ARRIVALS, next, 1, bytes));
      begun.force();
      disk.forceDirectory(files.arrivals());
      file = begun;
      number = next;
      bytes = 0;
      return begun;
    } catch (IOException e) {
      QuietClose.quietly(made);
      throw e;
    }
  }

  private void endFile() {
    if (file != null) {
      QuietClose.quietly(file);
      file = null;
    }
  }

  @Override
  public void close() {
    endFile();
    codec.close();
  }
}
