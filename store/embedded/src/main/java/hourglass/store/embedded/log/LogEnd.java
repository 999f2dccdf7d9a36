package hourglass.store.embedded.log;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.pages.MissingParts;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the log ended when a process stopped cleanly: what lacks before that place is damage, and
 * nothing that a crash has torn. A segment is never written after it, so it holds for ever.
 *
 * @param segment the newest then
 * @param bytes how much of it counts
 */
public record LogEnd(long segment, long bytes) {
  private static final Logger log = LoggerFactory.getLogger(LogEnd.class);

  /** Writes it down, durably. */
  public void write(Disk disk, StoreFiles files) throws IOException {
    new Watermark(segment, bytes).write(disk, files.logEnd());
  }

  /**
   * What a clean stop wrote down of the newest segment; null if the process that wrote to it did
   * not stop cleanly.
   *
   * @param newest segment that is there, 0 if none
   * @param missing says what may be missing
   * @throws hourglass.store.CorruptException if a newer one was there at a clean stop
   */
  static @Nullable LogEnd of(StoreFiles files, long newest, MissingParts missing)
      throws IOException {
    Watermark end = Watermark.read(files.logEnd());
    if (end == null || end.first() < newest) {
      return null;
    }
    if (end.first() > newest) {
      LogRange.refuse(
          files.segment(end.first()),
          "offset 0: missing, though " + files.logEnd() + " has the log end there",
          files,
          missing);
      return null;
    }
    return new LogEnd(end.first(), end.last());
  }

  /** Says what cannot be known of the end of a log that no clean stop has written down. */
  static void warn(StoreFiles files, LogReplay.End end, long tornBytes) {
    if (tornBytes > 0) {
      log.warn(
          "{}: offset {}: the last {} bytes are no whole group and are dropped. The process before"
              + " did not stop cleanly. A crash amid a write leaves this, and nothing acknowledged"
              + " is lost; but damage to acknowledged events would look the same",
          files.segment(end.segment()),
          end.validBytes(),
          tornBytes);
    } else if (end.segment() > 0) {
      log.warn(
          "{}: offset {}: the log ends here. The process before did not stop cleanly. If the file"
              + " was cut off here since, acknowledged events are lost, and nothing shows it",
          files.segment(end.segment()),
          end.validBytes());
    }
  }
}
