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

/** Appends notes to the newest file of them, and begins the next one. Not thread-safe. */
final class LateArrivalWriter implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(LateArrivalWriter.class);

  /** Read as a whole by who goes on in the middle of it, and deleted as a whole. */
  private static final long FILE_BYTES = 4 << 20;

  private final Disk disk;
  private final StoreFiles files;
  private final ByteBuffer staging = FrameWriter.staging();
  private final NamesCodec codec = new NamesCodec();
  private @Nullable FrameWriter file;
  private long number;
  private long bytes;

  /**
   * @param number of the newest file there is, 0 if none; it is not written again
   * @param bytes how much of it counts
   */
  LateArrivalWriter(Disk disk, StoreFiles files, long number, long bytes) {
    this.disk = disk;
    this.files = files;
    this.number = number;
    this.bytes = bytes;
  }

  /** The number of the file that was written last. */
  long number() {
    return number;
  }

  /** How much of it counts. */
  long bytes() {
    return bytes;
  }

  /** Appends notes; they are durable on return, all or none. */
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
      // What it has left there does not count; the notes are in the log still, for the next try.
      endFile();
      throw e;
    }
    witnessEnd();
  }

  /** So that it is missed if it is cut off later; without it nothing else is amiss. */
  private void witnessEnd() {
    try {
      new Watermark(number, bytes).write(disk, files.arrivalsEnd());
    } catch (IOException e) {
      log.warn("{}: cannot be written: {}", files.arrivalsEnd(), e.toString());
    }
  }

  private FrameWriter next() throws IOException {
    endFile();
    long next = number + 1;
    disk.delete(files.arrivals(next)); // begun in vain
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
