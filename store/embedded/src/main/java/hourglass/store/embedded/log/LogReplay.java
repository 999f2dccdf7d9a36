package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.firsttimes.FirstTimesCodec;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.TypeHourRecord;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.MemoryBudget;
import hourglass.store.embedded.memory.OpenRun;
import hourglass.store.embedded.memory.RowContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the commit log at start, and restores columns that are not in pages yet. */
public final class LogReplay {
  private static final Logger logger = LoggerFactory.getLogger(LogReplay.class);

  /**
   * The number of groups that is skipped if a segment is missing: more than it can have contained.
   */
  private static final long GROUPS_SKIPPED = 1L << 32;

  private final Disk disk;
  private final StoreFiles files;
  private final Hours hours;
  private final MemoryBudget budget;
  private final LateArrivalIndex lateArrivals;
  private final FirstTimeIndex firstTimes;
  private final MissingParts missing;
  private final TreeMap<Long, Long> bytesBySegment = new TreeMap<>();

  private long tornBytes;
  private boolean hasLostSector;

  /**
   * The end of the log after a replay.
   *
   * @param segment the last segment's number, 0 if there is none
   * @param bytesBySegment the memory of the columns of each segment
   */
  public record Result(
      long segment, long validBytes, long nextGroup, TreeMap<Long, Long> bytesBySegment) {}

  public LogReplay(
      Disk disk,
      StoreFiles files,
      Hours hours,
      MemoryBudget budget,
      LateArrivalIndex lateArrivals,
      FirstTimeIndex firstTimes,
      MissingParts missing) {
    this.disk = disk;
    this.files = files;
    this.hours = hours;
    this.budget = budget;
    this.lateArrivals = lateArrivals;
    this.firstTimes = firstTimes;
    this.missing = missing;
  }

  public static List<Long> segments(StoreFiles files) throws IOException {
    return StoreFiles.numbers(files.log(), StoreFiles.SEGMENT_SUFFIX);
  }

  /** Returns the segments without a newest one that a crash left without a preamble. */
  public static List<Long> finished(StoreFiles files) throws IOException {
    return withoutUnfinished(files, segments(files));
  }

  private static List<Long> withoutUnfinished(StoreFiles files, List<Long> segments)
      throws IOException {
    int last = segments.size() - 1;
    return last < 0
            || FrameReader.preamble(files.segment(segments.get(last)), FramePreamble.LOG) != null
        ? segments
        : segments.subList(0, last);
  }

  /**
   * Replays all writes that were acknowledged, and perhaps others.
   *
   * @param from the first segment whose columns are not in pages, by the catalogue
   * @param newestInPages the newest group that has columns in pages, by the catalogue; 0 if there
   *     are no pages
   */
  public Result run(long from, long newestInPages) throws IOException {
    List<Long> found = segments(files);
    List<Long> segments = withoutUnfinished(files, found);
    long newest = checkRange(segments, from);
    removeUnfinished(found, segments);
    // The newest segment is never deleted, as segment and page numbers continue from it.
    if (segments.isEmpty() && newest == 0 && newestInPages > 0) {
      throw new CorruptException(
          files.log() + ": no segment is there, though pages are; restore the newest");
    }
    long newestFound = segments.isEmpty() ? 0 : segments.get(segments.size() - 1);
    long endBytes = cleanEnd(newestFound);
    Result end = new Result(0, 0, 1, bytesBySegment);
    for (int i = 0; i < segments.size(); i++) {
      boolean last = i == segments.size() - 1;
      long validBytes = last ? endBytes : -1;
      if (!last && segments.get(i + 1) == segments.get(i) + 1) {
        validBytes = previousEnd(segments.get(i + 1));
      } else if (!last) {
        refuse(files.segment(segments.get(i) + 1), "missing, though later segments are there");
      }
      end = replaySegment(segments.get(i), validBytes);
    }
    if (endBytes < 0 && !segments.isEmpty()) {
      noteUncleanEnd(end);
      // A power cut could lose writes of a killed process, and the next segment will state their
      // length.
      try (Disk.AppendFile file = disk.append(files.segment(newestFound))) {
        file.force();
      }
    }
    return newest > newestFound
        ? new Result(
            newest, 0, Math.max(end.nextGroup(), newestInPages) + GROUPS_SKIPPED, bytesBySegment)
        : end;
  }

  /**
   * Returns the newest segment's valid length as the last clean stop recorded it; -1 if there was
   * none. If bytes before this end are missing, that is damage, not a torn write.
   */
  private long cleanEnd(long newest) throws IOException {
    Watermark end = Watermark.read(files.logEnd());
    if (end == null || end.first() < newest) {
      return -1;
    }
    if (end.first() > newest) {
      refuse(
          files.segment(end.first()),
          "offset 0: missing, though " + files.logEnd() + " has the log end there");
      return -1;
    }
    return end.last();
  }

  /**
   * Compares the segments on disk with the recorded range and the catalogue's.
   *
   * @param from the first segment whose columns are not in pages, by the catalogue
   * @return the newest segment, even if it is missing
   */
  private long checkRange(List<Long> segments, long from) throws IOException {
    TreeSet<Long> absent = new TreeSet<>();
    long newest = segments.isEmpty() ? 0 : segments.get(segments.size() - 1);
    Watermark range = Watermark.read(files.logRange());
    if (range == null) {
      refuse(files.logRange(), "missing");
    } else {
      LongStream.rangeClosed(range.first(), range.last()).forEach(absent::add);
    }
    if (from > newest || !segments.isEmpty() && segments.get(0) > Math.max(1, from)) {
      absent.add(from);
    }
    segments.forEach(absent::remove);
    for (long segment : absent) {
      String source =
          segment == from
              ? files.catalogue() + " has none of its events in pages"
              : files.logRange() + " has it";
      refuse(
          files.segment(segment), "offset 0: missing, or without its preamble, though " + source);
    }
    return absent.isEmpty() ? newest : Math.max(newest, absent.last());
  }

  private void refuse(Path file, String problem) {
    String path = files.dir().relativize(file).toString();
    if (!missing.accepts(path)) {
      throw new CorruptException(
          ("%s: %s; restore it, and if this is a copy, all of it as of one moment; or give up the"
                  + " events that only the log had: %s")
              .formatted(file, problem, MissingParts.setting(List.of("log"))));
    }
    missing.everywhere(path);
  }

  /**
   * Logs the state of the log's end. A killed process leaves whole groups, or the beginning of one
   * that it had not acknowledged. A lost sector may have been acknowledged, if the disk did not
   * keep forced bytes.
   */
  private void noteUncleanEnd(Result end) {
    Path file = files.segment(end.segment());
    if (hasLostSector) {
      logger.warn(
          "{}: offset {}: the last {} bytes are no whole group and are dropped: a sector of them"
              + " reads as zeros. The process before did not stop cleanly. A power cut amid a write"
              + " leaves this before the write is acknowledged. Only a disk that loses what was"
              + " forced leaves it later",
          file,
          end.validBytes(),
          tornBytes);
    } else if (tornBytes > 0) {
      logger.info(
          "{}: offset {}: the last {} bytes are the beginning of a group and are dropped. The"
              + " process before did not stop cleanly: a killed process leaves this amid a write"
              + " that it has not acknowledged. A disk or a copy that lost the end of the file"
              + " looks the same",
          file,
          end.validBytes(),
          tornBytes);
    } else if (end.segment() > 0) {
      logger.info(
          "{}: offset {}: the log ends here with a whole group. The process before did not stop"
              + " cleanly: a killed process leaves all that it acknowledged. A disk or a copy that"
              + " lost the end of the file looks the same",
          file,
          end.validBytes());
    }
  }

  private void removeUnfinished(List<Long> found, List<Long> kept) throws IOException {
    for (long segment : found.subList(kept.size(), found.size())) {
      logger.info("{}: removed, a crash cut it off before its first use", files.segment(segment));
      disk.delete(files.segment(segment));
      disk.forceDirectory(files.log());
    }
  }

  /** Replays a segment. A length of -1 is unknown, as a crash may have torn the end. */
  private Result replaySegment(long number, long validBytes) throws IOException {
    Path path = files.segment(number);
    FrameReader reader = FrameReader.open(path, FramePreamble.LOG, validBytes, validBytes < 0);
    if (reader == null) {
      throw new CorruptException(path + ": offset 0: no preamble; restore the file");
    }
    checkNumber(number, reader.preamble());
    bytesBySegment.put(number, 0L);
    long group = reader.nextGroup();
    for (ByteBuffer body = reader.next(); body != null; body = reader.next()) {
      try {
        replayGroup(body, number, group);
      } catch (CorruptException | UnavailableException e) {
        throw e; // names the file of the hour, which the replay reads
      } catch (RuntimeException e) {
        throw new CorruptException(
            "%s: group %s before offset %s: %s; restore it"
                .formatted(path, group, reader.goodEnd(), e),
            e);
      }
      group = reader.nextGroup();
    }
    tornBytes = reader.tornBytes();
    hasLostSector = reader.hasLostSector();
    return new Result(number, reader.goodEnd(), reader.nextGroup(), bytesBySegment);
  }

  private void replayGroup(ByteBuffer body, long segment, long group) {
    List<Mutation> mutations = new ArrayList<>();
    int late = 0;
    while (body.hasRemaining()) {
      byte kind = body.get();
      switch (kind) {
        case LogRecord.MUTATION -> {
          Mutation mutation = LogRecord.readMutation(body);
          mutations.add(mutation);
          restore(mutation, segment, group);
        }
        case LogRecord.LATE_COLUMNS -> {
          LateArrivalPlace place = new LateArrivalPlace(group, late++);
          lateArrivals.replayed(LogRecord.readLateColumns(body, mutations).at(place), segment);
        }
        case LogRecord.FIRST_TIMES -> firstTimes.replayed(FirstTimesCodec.read(body), segment);
        case LogRecord.DROP -> drop(new Hour(body.getInt()));
        case LogRecord.DROP_TYPE -> hours.forgetRuns(TypeHourRecord.read(body));
        default -> throw new IllegalArgumentException("record kind " + kind + " is unknown");
      }
    }
  }

  private void restore(Mutation mutation, long segment, long group) {
    boolean isNew =
        hours.withWritten(mutation.row().hour(), state -> restore(state, mutation, segment, group));
    long bytes = isNew ? MemoryBudget.of(mutation) : 0;
    budget.take(bytes);
    bytesBySegment.merge(segment, bytes, Long::sum);
  }

  private static boolean restore(LoadedHour state, Mutation mutation, long segment, long group) {
    // If a page of any class is as new as the group, pages contain these columns.
    if (state.row(mutation.row()).content().pagesGroup() >= group) {
      return false;
    }
    OpenRun run = new OpenRun(mutation.columns(), segment, group);
    state.row(mutation.row()).update(content -> content.withRun(run));
    return true;
  }

  /**
   * Drops the runs of an hour. Its pages were deleted before this record was written, so any pages
   * are newer.
   */
  private void drop(Hour hour) {
    hours.with(
        hour,
        state -> {
          state.rows().forEach(row -> row.update(RowContent::withoutRuns));
          hours.forgetIfEmpty(state);
          return state;
        });
  }

  private long previousEnd(long segment) throws IOException {
    FramePreamble preamble = FrameReader.preamble(files.segment(segment), FramePreamble.LOG);
    if (preamble == null) {
      throw new CorruptException(files.segment(segment) + ": offset 0: no preamble; restore it");
    }
    // A preamble of another segment could state a wrong end, which would drop writes.
    checkNumber(segment, preamble);
    return preamble.previousEnd();
  }

  private void checkNumber(long segment, FramePreamble preamble) {
    if (preamble.number() != segment) {
      throw new CorruptException(
          "%s: offset 0: this is segment %s; restore the file"
              .formatted(files.segment(segment), preamble.number()));
    }
  }
}
