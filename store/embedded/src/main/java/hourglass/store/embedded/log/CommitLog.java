package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.late.LateColumns;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The log: numbered segments of frames. Not thread-safe: one thread writes it.
 *
 * <p>All waiting writes form one group, which costs one force. A segment is deleted once its
 * columns are in pages. The newest segment stays, so that numbers never repeat.
 */
public final class CommitLog implements Closeable {
  private final Disk disk;
  private final StoreFiles files;
  private final LogRange range;
  private final ByteBuffer staging = FrameWriter.staging();
  private FrameWriter segment;
  private long number;
  private @Nullable Path begunInVain;

  public CommitLog(Disk disk, StoreFiles files, LogRange range, LogReplay.Result end)
      throws IOException {
    this.disk = disk;
    this.files = files;
    this.range = range;
    this.number = end.segment() + 1;
    this.segment = begin(number, end.nextGroup(), end.validBytes());
  }

  private FrameWriter begin(long next, long firstGroup, long previousEnd) throws IOException {
    clearNext();
    begunInVain = files.segment(next);
    Disk.AppendFile file = disk.create(begunInVain);
    try {
      file.lock(); // locked before the previous one is closed, so one is always locked
      FrameWriter writer =
          FrameWriter.begin(
              file, staging, new FramePreamble(FramePreamble.LOG, next, firstGroup, previousEnd));
      writer.force();
      disk.forceDirectory(files.log());
      range.newestIs(next);
      begunInVain = null;
      return writer;
    } catch (IOException e) {
      QuietClose.quietly(file);
      throw e;
    }
  }

  /**
   * Deletes a next segment that could not be begun. After a power cut, it could reappear, and its
   * preamble would cut this segment at an earlier end.
   */
  private void clearNext() throws IOException {
    if (begunInVain != null) {
      range.newestIs(number);
      disk.delete(begunInVain);
      disk.forceDirectory(files.log());
      begunInVain = null;
    }
  }

  public long segment() {
    return number;
  }

  long group() {
    return segment.group();
  }

  long segmentBytes() {
    return segment.size();
  }

  void append(Mutation mutation) throws IOException {
    LogRecord.write(segment, mutation);
  }

  void append(LateColumns late) throws IOException {
    LogRecord.write(segment, late);
  }

  void append(FirstTimes times) throws IOException {
    LogRecord.write(segment, times);
  }

  void appendDrop(Hour hour) throws IOException {
    LogRecord.writeDrop(segment, hour);
  }

  void appendDrop(TypeHour of) throws IOException {
    LogRecord.writeDrop(segment, of);
  }

  void force() throws IOException {
    clearNext();
    segment.endGroup();
  }

  void roll() throws IOException {
    rollAt(segment.size(), segment.group());
  }

  /**
   * Begins the next segment with the group after the next one. Returns the number that is skipped:
   * all groups before it are in ended segments, and all later ones are greater.
   */
  long skipGroup() throws IOException {
    long skipped = segment.group();
    rollAt(segment.size(), skipped + 1);
    return skipped;
  }

  /**
   * Begins the next segment after a failed force. The force leaves unknown content on disk, so this
   * segment is not written again. The next segment's preamble states its end.
   */
  void abandonGroup() throws IOException {
    try {
      segment.rollback();
    } catch (IOException e) {
      // The new segment states the end of this one, so the bytes that remain do no harm.
    }
    rollAt(segment.durableSize(), segment.group());
  }

  private void rollAt(long end, long firstGroup) throws IOException {
    FrameWriter old = segment;
    segment = begin(number + 1, firstGroup, end);
    number++;
    QuietClose.quietly(old);
  }

  void endCleanly() throws IOException {
    clearNext();
    new Watermark(number, segment.durableSize()).write(disk, files.logEnd());
  }

  @Override
  public void close() throws IOException {
    segment.close();
  }
}
