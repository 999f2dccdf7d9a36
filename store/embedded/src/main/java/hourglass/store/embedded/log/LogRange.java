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
 * Which log segments there must be: those from the oldest that is not in pages to the newest that
 * was begun. A segment that is lost at either end of them would otherwise not be missed.
 * Thread-safe: the log's thread begins segments, another cuts them.
 */
public final class LogRange {
  private final Disk disk;
  private final StoreFiles files;
  private long oldest;
  private long newest;

  /** Those that were found at start. */
  public LogRange(Disk disk, StoreFiles files, Replayed replayed) {
    this.disk = disk;
    this.files = files;
    this.newest = replayed.end().segment();
    this.oldest =
        replayed.bytesBySegment().isEmpty() ? newest + 1 : replayed.bytesBySegment().firstKey();
  }

  /** Writes down that there is none yet, where nothing is written down. */
  public static void make(Disk disk, StoreFiles files) throws IOException {
    if (!FileKind.FILE.isAt(files.logRange())) {
      new Watermark(1, 0).write(disk, files.logRange());
    }
  }

  /** Records that a segment was begun, after it is made, or removed, before it is deleted. */
  synchronized void newestIs(long segment) throws IOException {
    newest = segment;
    write();
  }

  /** The segments before this one are about to be deleted. */
  public synchronized void oldestIs(long segment) throws IOException {
    oldest = segment;
    write();
  }

  private void write() throws IOException {
    new Watermark(oldest, newest).write(disk, files.logRange());
  }

  /**
   * Compares what is there with what must be.
   *
   * @param segments by number, ascending
   * @param from the catalogue has all before it in pages, and nothing of it and those behind
   * @param missing says what may be missing
   * @return the newest segment that there was, which may be one that is missing
   * @throws CorruptException naming what is missing, and the remedy
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
      boolean isOfCatalogue = segment == from;
      refuse(
          files.segment(segment),
          "offset 0: missing, or without its preamble, though "
              + (isOfCatalogue
                  ? files.catalogue() + " has none of its events in pages"
                  : files.logRange() + " has it"),
          files,
          missing);
    }
    return absent.isEmpty() ? newest : Math.max(newest, absent.last());
  }

  /** Refuses to go on without a file of the log, unless that was allowed. */
  static void refuse(Path file, String what, StoreFiles files, MissingParts missing) {
    String path = files.dir().relativize(file).toString();
    if (!missing.accepts(path)) {
      throw new CorruptException(
          file
              + ": "
              + what
              + "; restore it, and if this is a copy, all of it as of one moment; or give up the"
              + " events that only the log had: "
              + MissingParts.setting(List.of("log")));
    }
    missing.everywhere(path);
  }
}
