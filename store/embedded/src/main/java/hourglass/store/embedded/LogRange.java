package hourglass.store.embedded;

import hourglass.store.CorruptException;
import java.io.IOException;
import java.util.List;

/**
 * Which log segments there must be: those from the oldest that is not in pages to the newest that
 * was begun. A segment that is lost at either end of them would otherwise not be missed.
 * Thread-safe: the log's thread begins segments, another cuts them.
 */
final class LogRange {
  private final Disk disk;
  private final StoreFiles files;
  private long oldest;
  private long newest;

  /** Those that were found at start. */
  LogRange(Disk disk, StoreFiles files, Replayed replayed) {
    this.disk = disk;
    this.files = files;
    this.newest = replayed.end().segment();
    this.oldest =
        replayed.bytesBySegment().isEmpty() ? newest + 1 : replayed.bytesBySegment().firstKey();
  }

  /** A segment was begun, or taken back; to be told before it is deleted, after it is made. */
  synchronized void newestIs(long segment) throws IOException {
    newest = segment;
    write();
  }

  /** The segments before this one are about to be deleted. */
  synchronized void oldestIs(long segment) throws IOException {
    oldest = segment;
    write();
  }

  private void write() throws IOException {
    new Witness(oldest, newest).write(disk, files.logRange());
  }

  /**
   * Compares what is there with what must be.
   *
   * @param segments by number, ascending
   * @throws CorruptException naming the segment that is missing, and the remedy
   */
  static void check(StoreFiles files, List<Long> segments) throws IOException {
    Witness range = Witness.read(files.logRange());
    if (range == null) {
      return;
    }
    for (long segment = range.first(); segment <= range.last(); segment++) {
      if (!segments.contains(segment)) {
        throw missing(files, segment);
      }
    }
  }

  private static CorruptException missing(StoreFiles files, long segment) {
    return new CorruptException(
        files.segment(segment)
            + ": offset 0: missing, or without its preamble; restore it, or remove "
            + files.logRange()
            + " to give up what it held");
  }
}
