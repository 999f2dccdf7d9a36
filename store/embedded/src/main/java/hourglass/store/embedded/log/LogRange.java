package hourglass.store.embedded.log;

import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.pages.MissingParts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/**
 * The segments that must exist: from the oldest that is not in pages to the newest that was begun.
 * Without it, a segment lost at either end would not be noticed. Thread-safe: the log's thread
 * begins segments, another deletes them.
 */
public final class LogRange {
  private final Disk disk;
  private final StoreFiles files;
  private long oldest;
  private long newest;

  public LogRange(Disk disk, StoreFiles files, LogReplay.Result replayed) {
    this.disk = disk;
    this.files = files;
    this.newest = replayed.segment();
    this.oldest =
        replayed.bytesBySegment().isEmpty() ? newest + 1 : replayed.bytesBySegment().firstKey();
  }

  /** Records an empty range, if there is no record yet. */
  public static void make(Disk disk, StoreFiles files) throws IOException {
    if (!FileKind.FILE.isAt(files.logRange())) {
      new Watermark(1, 0).write(disk, files.logRange());
    }
  }

  /** Records the newest segment: after a segment is created, or before it is deleted. */
  synchronized void newestIs(long segment) throws IOException {
    newest = segment;
    write();
  }

  /** Records the oldest segment, before older ones are deleted. */
  public synchronized void oldestIs(long segment) throws IOException {
    oldest = segment;
    write();
  }

  private void write() throws IOException {
    new Watermark(oldest, newest).write(disk, files.logRange());
  }

  /**
   * Compares the segments on disk, by ascending number, with the recorded range and with the first
   * that the catalogue does not have in pages. Returns the newest segment, even if it is missing.
   */
  static long check(StoreFiles files, List<Long> segments, long from, MissingParts missing)
      throws IOException {
    TreeSet<Long> absent = new TreeSet<>();
    long newest = segments.isEmpty() ? 0 : segments.get(segments.size() - 1);
    Watermark range = Watermark.read(files.logRange());
    if (range == null) {
      refuse(files.logRange(), "missing", files, missing);
    } else {
      for (long segment = range.first(); segment <= range.last(); segment++) {
        absent.add(segment);
      }
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
          files.segment(segment),
          "offset 0: missing, or without its preamble, though " + source,
          files,
          missing);
    }
    return absent.isEmpty() ? newest : Math.max(newest, absent.last());
  }

  /** Fails because a file of the log is missing, unless the setting allows that. */
  static void refuse(Path file, String what, StoreFiles files, MissingParts missing) {
    String path = files.dir().relativize(file).toString();
    if (!missing.accepts(path)) {
      throw new CorruptException(
          ("%s: %s; restore it, and if this is a copy, all of it as of one moment; or give up the"
                  + " events that only the log had: %s")
              .formatted(file, what, MissingParts.setting(List.of("log"))));
    }
    missing.everywhere(path);
  }
}
