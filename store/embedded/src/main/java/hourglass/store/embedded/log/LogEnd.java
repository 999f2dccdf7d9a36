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
 * The end of the log at a clean stop. Bytes missing before it are damage, not a torn write. The
 * segment is never written again, so the record stays true.
 *
 * @param segment the newest segment then
 * @param bytes the valid length of that segment
 */
public record LogEnd(long segment, long bytes) {
  private static final Logger logger = LoggerFactory.getLogger(LogEnd.class);

  /** Writes the record durably. */
  public void write(Disk disk, StoreFiles files) throws IOException {
    new Watermark(segment, bytes).write(disk, files.logEnd());
  }

  /**
   * The end of the newest segment by a clean stop; null if the last process did not stop cleanly.
   *
   * @param newest the newest segment on disk, 0 if none
   * @param missing the parts that may be missing
   * @throws hourglass.store.CorruptException if a newer segment existed at a clean stop
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

  /** Warns that damage at the end of the log cannot be noticed, as there was no clean stop. */
  static void warn(StoreFiles files, LogReplay.End end, long tornBytes) {
    if (tornBytes > 0) {
      logger.warn(
          "{}: offset {}: the last {} bytes are no whole group and are dropped. The process before"
              + " did not stop cleanly. A crash amid a write leaves this, and nothing acknowledged"
              + " is lost; but damage to acknowledged events would look the same",
          files.segment(end.segment()),
          end.validBytes(),
          tornBytes);
    } else if (end.segment() > 0) {
      logger.warn(
          "{}: offset {}: the log ends here. The process before did not stop cleanly. If the file"
              + " was cut off here since, acknowledged events are lost, and nothing shows it",
          files.segment(end.segment()),
          end.validBytes());
    }
  }
}
