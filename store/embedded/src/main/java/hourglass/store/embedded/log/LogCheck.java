package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.Mutation;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.firsttimes.FirstTimesCodec;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.TypeHourRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads every segment of the log, also those after a damaged one, where a replay ends. Not
 * thread-safe.
 */
public final class LogCheck {
  private final StoreFiles files;
  private final Consumer<Finding> sink;

  public LogCheck(StoreFiles files, Consumer<Finding> sink) {
    this.files = files;
    this.sink = sink;
  }

  /**
   * Checks the segments.
   *
   * @param from the first segment whose columns are not in pages, by the catalogue
   */
  public void run(long from) throws IOException {
    List<Long> segments = LogReplay.finished(files);
    for (int i = 0; i < segments.size(); i++) {
      long segment = segments.get(i);
      boolean hasNext = i + 1 < segments.size() && segments.get(i + 1) == segment + 1;
      try {
        read(segment, hasNext ? previousEnd(segment + 1) : -1);
      } catch (CorruptException e) {
        String lost =
            segment < from
                ? Finding.NOTHING
                : "the acknowledged events of this segment from there on that are in no page";
        sink.accept(new Finding(String.valueOf(e.getMessage()), lost));
      }
    }
  }

  private long previousEnd(long segment) throws IOException {
    try {
      FramePreamble next = FrameReader.preamble(files.segment(segment), FramePreamble.LOG);
      return next == null ? -1 : next.previousEnd();
    } catch (CorruptException e) {
      return -1; // found again when that segment is read
    }
  }

  private void read(long segment, long validBytes) throws IOException {
    Path path = files.segment(segment);
    FrameReader reader = FrameReader.open(path, FramePreamble.LOG, validBytes, validBytes < 0);
    if (reader == null || reader.preamble().number() != segment) {
      throw new CorruptException(path + ": offset 0: not segment " + segment + "; restore it");
    }
    long group = reader.nextGroup();
    for (ByteBuffer body = reader.next(); body != null; body = reader.next()) {
      try {
        read(body);
      } catch (RuntimeException e) {
        throw new CorruptException(
            "%s: group %s before offset %s: %s; restore it"
                .formatted(path, group, reader.goodEnd(), e),
            e);
      }
      group = reader.nextGroup();
    }
  }

  private static void read(ByteBuffer body) {
    List<Mutation> mutations = new ArrayList<>();
    while (body.hasRemaining()) {
      byte kind = body.get();
      switch (kind) {
        case LogRecord.MUTATION -> mutations.add(LogRecord.readMutation(body));
        case LogRecord.LATE_COLUMNS -> LogRecord.readLateColumns(body, mutations);
        case LogRecord.FIRST_TIMES -> FirstTimesCodec.read(body);
        case LogRecord.DROP -> new Hour(body.getInt());
        case LogRecord.DROP_TYPE -> TypeHourRecord.read(body);
        default -> throw new IllegalArgumentException("record kind " + kind + " is unknown");
      }
    }
  }
}
