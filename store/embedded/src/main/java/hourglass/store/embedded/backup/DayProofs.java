package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.store.CorruptException;
import hourglass.store.embedded.backup.Point.Day;
import hourglass.store.embedded.backup.Point.HourState;
import hourglass.store.embedded.backup.RowsReader.HourRows;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.files.CatalogueContent;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.PageSnapshot;
import hourglass.store.embedded.files.SectionInFile;
import hourglass.store.embedded.memory.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rows of a point to the pool, a file for each day. Days that are as in the point before
 * keep their files, and hours that are keep their rows. All others are read from the pages in the
 * pool. Keeps the rows of one hour in memory. Not thread-safe.
 */
final class DayProofs {
  private static final Logger logger = LoggerFactory.getLogger(DayProofs.class);

  private static final int STATE_BYTES = 16;

  private final BackupFiles files;
  private final Disk disk;
  private final Pool pool;
  private final CopyPace pace;
  private final @Nullable Point before;
  private final Map<Long, PointFile> pages = new HashMap<>();
  private final Set<Long> missing = new HashSet<>();

  private DayProofs(
      BackupFiles files, Disk disk, Pool pool, CopyPace pace, @Nullable Point before) {
    this.files = files;
    this.disk = disk;
    this.pool = pool;
    this.pace = pace;
    this.before = before;
  }

  /** Accepts the sums after each day. */
  interface Progress {
    void at(Point.Totals totals);
  }

  /**
   * Returns the days of a point, whose files are in the pool, and forced but for their names.
   *
   * @param before the point before; null if there is none
   */
  static List<Day> write(
      BackupFiles files,
      Disk disk,
      Pool pool,
      CopyPace pace,
      @Nullable Point before,
      CatalogueContent listed,
      List<PointFile> copied,
      Progress progress)
      throws IOException {
    DayProofs proofs = new DayProofs(files, disk, pool, pace, before);
    for (PointFile file : copied) {
      if (file.isPages()) {
        proofs.pages.put(file.number(), file);
        if (file.pooled() == null) {
          proofs.missing.add(file.number());
        }
      }
    }
    try (PageSnapshot snapshot = PageSnapshot.of(listed, proofs::pooled)) {
      return proofs.write(snapshot, progress);
    }
  }

  private List<Day> write(PageSnapshot snapshot, Progress progress) throws IOException {
    Map<LocalDate, Set<Hour>> hours = new TreeMap<>();
    snapshot.hours().stream()
        .map(ClassHour::hour)
        .forEach(hour -> hours.computeIfAbsent(Day.of(hour), any -> new TreeSet<>()).add(hour));
    StoredRows rows = new StoredRows(snapshot);
    List<Day> days = new ArrayList<>();
    for (Map.Entry<LocalDate, Set<Hour>> each : hours.entrySet()) {
      List<HourState> states =
          each.getValue().stream().map(hour -> new HourState(hour, state(snapshot, hour))).toList();
      Day last = before == null ? null : before.day(each.getKey());
      days.add(
          last != null && isCurrent(last, states)
              ? last
              : write(each.getKey(), states, last, rows, snapshot));
      progress.at(Point.Totals.of(days));
      pace.copied(0);
    }
    return days;
  }

  private boolean isCurrent(Day last, List<HourState> states) throws IOException {
    return last.hours().equals(states)
        && last.totals().damaged() == 0
        && files.hasPooled(last.pooled(), last.bytes());
  }

  private Day write(
      LocalDate date,
      List<HourState> states,
      @Nullable Day last,
      StoredRows rows,
      PageSnapshot snapshot)
      throws IOException {
    Path made = files.pending().resolve("rows");
    disk.delete(made);
    Day day;
    try (Disk.AppendFile file = disk.create(made);
        RowsReader old = last == null ? null : openIfWhole(last)) {
      LineWriter lines = new LineWriter(file);
      RowsWriter out = new RowsWriter(lines);
      HourRows known = old == null ? null : old.nextHour();
      for (HourState each : states) {
        while (old != null && known != null && known.hour().compareTo(each.hour()) < 0) {
          known = old.nextHour();
        }
        out.hour(each.hour());
        if (known != null && last != null && isCurrent(known, last, each)) {
          for (RowProof row : known.rows()) {
            pace.copied(0);
            out.row(row);
          }
        } else {
          read(rows, snapshot, each.hour(), out);
        }
      }
      String sha256 = lines.end();
      file.force();
      day = new Day(date, file.size(), sha256, out.totals(), states);
    }
    pool.take(made, day.pooled(), day.bytes());
    return day;
  }

  private static boolean isCurrent(HourRows known, Day last, HourState now) {
    return known.hour().equals(now.hour())
        && known.damaged().isEmpty()
        && last.hours().contains(now);
  }

  /** Returns the rows of the point before; null if they are damaged, so that all are read. */
  private @Nullable RowsReader openIfWhole(Day last) throws IOException {
    try {
      return RowsReader.open(files, last);
    } catch (CorruptException e) {
      logger.warn("{}", e.getMessage());
      return null;
    }
  }

  private Path pooled(long number) {
    PointFile file = pages.get(number);
    if (file == null || file.pooled() == null) {
      throw new CorruptException("page file " + number + " is missing in the store");
    }
    return files.pooled(file.pooled());
  }

  private void read(StoredRows rows, PageSnapshot snapshot, Hour hour, RowsWriter out)
      throws IOException {
    try {
      rows.read(
          hour,
          snapshot.classes(hour),
          missing,
          new StoredRows.Sink() {
            @Override
            public void whole(RowProof row) throws IOException {
              pace.copied(0);
              out.row(row);
            }

            @Override
            public void damaged(Row row, CorruptException why) throws IOException {
              pace.copied(0);
              logger.warn(
                  "{} cannot be read, and is damaged in the point: {}",
                  row.key(),
                  why.getMessage());
              out.damaged(row.key());
            }
          });
    } catch (CorruptException e) {
      logger.warn("{} cannot be read, and is damaged in the point: {}", hour, e.getMessage());
      out.damagedHour(hour);
    }
  }

  /** Returns what distinguishes the pages of an hour from those of other points. */
  private String state(PageSnapshot snapshot, Hour hour) {
    MessageDigest digest = Identity.newSha256();
    for (String each : snapshot.classes(hour)) {
      for (SectionInFile section : snapshot.sections(new ClassHour(each, hour))) {
        PointFile file = pages.get(section.file());
        String text =
            "%s %s %s %s %s\n"
                .formatted(
                    each,
                    file == null ? null : file.sha256(),
                    section.section().at(),
                    section.section().length(),
                    section.section().checksum());
        digest.update(text.getBytes(StandardCharsets.UTF_8));
      }
    }
    return HexFormat.of().formatHex(digest.digest(), 0, STATE_BYTES);
  }
}
