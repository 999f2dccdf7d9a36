package hourglass.store.embedded.backup;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a backup is. Immutable.
 *
 * @param link whether files are linked where that is possible, in place of copies
 * @param files the files of the point; 0 before they are known
 * @param filesNew those of them that the pool did not have
 * @param bytes the bytes of all files
 * @param bytesNew those of the new files that were copied so far
 * @param bytesToCopy those of all new files
 * @param rows the rows whose digests are known so far
 * @param damaged the rows that the store itself cannot read
 * @param missing the files that the store itself misses
 * @param ended null while it runs
 * @param failure null unless it failed
 */
@RecordBuilder
public record BackupState(
    String id,
    Path to,
    boolean link,
    Phase phase,
    int files,
    int filesNew,
    long bytes,
    long bytesNew,
    long bytesToCopy,
    long rows,
    long damaged,
    int missing,
    Instant began,
    @Nullable Instant ended,
    @Nullable String failure) {

  /** The steps of a backup, in their order. */
  public enum Phase {
    /** Acknowledged events are written to pages. */
    FLUSHING,
    /** Files are copied into the pool. */
    COPYING,
    /** The rows of hours that changed are read back from the pool. */
    READING,
    DONE,
    FAILED
  }

  /** Returns the state at the end; {@code why} is null unless the backup failed. */
  BackupState ended(Instant now, @Nullable String why) {
    return new BackupState(
        id,
        to,
        link,
        why == null ? Phase.DONE : Phase.FAILED,
        files,
        filesNew,
        bytes,
        bytesNew,
        bytesToCopy,
        rows,
        damaged,
        missing,
        began,
        now,
        why);
  }

  public boolean isRunning() {
    return phase != Phase.DONE && phase != Phase.FAILED;
  }
}
