package hourglass.store.embedded.log;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import java.io.IOException;

/**
 * The segments that must exist: from the oldest whose columns are not in pages to the newest that
 * was begun. It reveals a lost segment at either end. Thread-safe: the log's thread begins
 * segments, another deletes them.
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

  public static void make(Disk disk, StoreFiles files) throws IOException {
    if (!FileKind.FILE.isAt(files.logRange())) {
      new Watermark(1, 0).write(disk, files.logRange());
    }
  }

  /** Records the newest segment, after it is created, or before a newer one is deleted. */
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
}
