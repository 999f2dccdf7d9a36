package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.pages.HourFolders;
import hourglass.store.embedded.pages.MissingParts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the commit log at start. */
public final class LogReplay {
  private static final Logger logger = LoggerFactory.getLogger(LogReplay.class);

  /** Receives the content of the log in the order it was written. */
  public interface Sink {
    void mutation(Mutation mutation, long segment, long group);

    void arrival(LateArrival note, long segment);

    void drop(Hour hour);
  }

  /**
   * The end of the log.
   *
   * @param segment the last segment's number, 0 if there is none
   * @param validBytes the valid length of the last segment
   * @param nextGroup the number of the next group
   */
  public record End(long segment, long validBytes, long nextGroup) {}

  /** More groups than a missing segment can have had. */
  private static final long GROUPS_SKIPPED = 1L << 32;

  private final Disk disk;
  private final StoreFiles files;

  /** The torn bytes of the segment that was read last. */
  private long tornBytes;

  public LogReplay(Disk disk, StoreFiles files) {
    this.disk = disk;
    this.files = files;
  }

  /** The numbers of the segments on disk, ascending. */
  public List<Long> segments() throws IOException {
    try (Stream<Path> paths = Files.list(files.log())) {
      return paths
          .filter(path -> path.toString().endsWith(StoreFiles.SEGMENT_SUFFIX))
          .map(LogReplay::number)
          .sorted()
          .toList();
    }
  }

  /** The segments that have a preamble. A crash can leave the newest without one. */
  public List<Long> finished() throws IOException {
    return withoutUnfinished(segments());
  }

  private static long number(Path segment) {
    String name = segment.getFileName().toString();
    try {
      return Long.parseLong(name.substring(0, name.length() - StoreFiles.SEGMENT_SUFFIX.length()));
    } catch (NumberFormatException e) {
      throw new CorruptException(segment + ": not a name of a segment; remove it", e);
    }
  }

  /**
   * Replays everything that was acknowledged, and perhaps writes that were not.
   *
   * @param from the first segment that the catalogue does not have in pages
   * @param missing the parts that may be missing
   * @throws CorruptException naming the file, the offset and the remedy
   */
  End replay(Sink sink, long from, MissingParts missing) throws IOException {
    List<Long> found = segments();
    List<Long> segments = withoutUnfinished(found);
    long newest = LogRange.check(files, segments, from, missing);
    removeUnfinished(found, segments);
    // The newest segment is never deleted: segment and page numbers continue from it.
    if (segments.isEmpty() && newest == 0 && !HourFolders.classes(files).isEmpty()) {
      throw new CorruptException(
          files.log() + ": no segment is there, though hours are; restore the newest");
    }
    End end = new End(0, 0, 1);
    long newestFound = segments.isEmpty() ? 0 : segments.get(segments.size() - 1);
    LogEnd known = LogEnd.of(files, newestFound, missing);
    tornBytes = 0;
    for (int i = 0; i < segments.size(); i++) {
      boolean last = i == segments.size() - 1;
      Long next = last ? null : segments.get(i + 1);
      long validBytes = last && known != null ? known.bytes() : -1;
      if (next != null && next == segments.get(i) + 1) {
        validBytes = previousEnd(next);
      } else if (next != null) {
        LogRange.refuse(
            files.segment(segments.get(i) + 1),
            "missing, though later segments are there",
            files,
            missing);
      }
      end = replaySegment(segments.get(i), validBytes, sink);
    }
    if (known == null && !segments.isEmpty()) {
      LogEnd.warn(files, end, tornBytes);
      force(files.segment(newestFound));
    }
    return newest > newestFound ? new End(newest, 0, end.nextGroup() + GROUPS_SKIPPED) : end;
  }

  /**
   * Forces writes of a killed process, which a power cut could still lose. The next segment will
   * state that they exist.
   */
  private void force(Path segment) throws IOException {
    try (Disk.AppendFile file = disk.append(segment)) {
      file.force();
    }
  }

  /** Leaves out a last segment without a preamble, which holds nothing. */
  private List<Long> withoutUnfinished(List<Long> segments) throws IOException {
    int last = segments.size() - 1;
    return last < 0
            || FrameReader.preamble(files.segment(segments.get(last)), FramePreamble.LOG) != null
        ? segments
        : segments.subList(0, last);
  }

  private void removeUnfinished(List<Long> found, List<Long> kept) throws IOException {
    for (long segment : found.subList(kept.size(), found.size())) {
      logger.info("{}: removed, a crash cut it off before its first use", files.segment(segment));
      disk.delete(files.segment(segment));
      disk.forceDirectory(files.log());
    }
  }

  /**
   * Replays a segment.
   *
   * @param validBytes the valid length; -1 if unknown, as a crash may have torn the end
   */
  private End replaySegment(long number, long validBytes, Sink sink) throws IOException {
    Path path = files.segment(number);
    FrameReader reader = FrameReader.open(path, FramePreamble.LOG, validBytes, validBytes < 0);
    if (reader == null) {
      throw new CorruptException(path + ": offset 0: no preamble; restore the file");
    }
    checkNumber(number, reader.preamble());
    long group = reader.nextGroup();
    for (ByteBuffer body = reader.next(); body != null; body = reader.next()) {
      try {
        CommitLog.replay(body, sink, number, group);
      } catch (CorruptException | UnavailableException e) {
        throw e; // about the hour, whose inventory replay reads
      } catch (RuntimeException e) {
        throw new CorruptException(
            path
                + ": group "
                + group
                + " before offset "
                + reader.goodEnd()
                + ": "
                + e
                + "; restore it",
            e);
      }
      group = reader.nextGroup();
    }
    tornBytes = reader.tornBytes();
    return new End(number, reader.goodEnd(), reader.nextGroup());
  }

  private long previousEnd(long segment) throws IOException {
    FramePreamble preamble = FrameReader.preamble(files.segment(segment), FramePreamble.LOG);
    if (preamble == null) {
      throw new CorruptException(files.segment(segment) + ": offset 0: no preamble; restore it");
    }
    // Check before using its end of the previous segment: a wrong end would drop writes.
    checkNumber(segment, preamble);
    return preamble.previousEnd();
  }

  private void checkNumber(long segment, FramePreamble preamble) {
    if (preamble.number() != segment) {
      throw new CorruptException(
          files.segment(segment)
              + ": offset 0: this is segment "
              + preamble.number()
              + "; restore the file");
    }
  }
}
