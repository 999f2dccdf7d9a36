package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the hours of a class whose time is over, as whole files. Not thread-safe. */
final class Retention {
  private static final Logger log = LoggerFactory.getLogger(Retention.class);

  private final Disk disk;
  private final Hours hours;
  private final StoreFiles files;
  private final Clock clock;

  Retention(Disk disk, Hours hours, StoreFiles files, Clock clock) {
    this.disk = disk;
    this.hours = hours;
    this.files = files;
    this.clock = clock;
  }

  /** Deletes what is due. */
  void pass() throws IOException {
    for (Path retentionClass : HourFolders.classes(files)) {
      String name = retentionClass.getFileName().toString();
      Duration keep = StoreFiles.retentionOf(name);
      if (keep == null) {
        continue;
      }
      for (Path dir : HourFolders.hours(retentionClass)) {
        if (HourFolders.isDropped(dir)) {
          DroppedFiles.delete(disk, dir);
        } else if (!HourFolders.hour(dir).end().plus(keep).isAfter(clock.instant())) {
          tryDropping(HourFolders.hour(dir), name);
        }
      }
    }
  }

  /** One hour that cannot be deleted keeps no other from it. */
  private void tryDropping(Hour hour, String retentionClass) {
    try {
      hours.with(
          hour,
          state -> {
            try {
              drop(state, retentionClass);
              return null;
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      log.info("{}: {} of it is over, deleted", hour, retentionClass);
    } catch (RuntimeException e) {
      log.warn("{}: {} of it is over, and cannot be deleted yet", hour, retentionClass, e);
    }
  }

  /**
   * Takes the files of a class out of an hour, and deletes them. After an exception it can be
   * called again: what is still on disk then goes, though the hour in memory no longer has it.
   */
  void drop(HourState state, String retentionClass) throws IOException {
    PageFiles gone = state.files(retentionClass);
    if (gone != null) {
      state.remove(retentionClass);
      gone.retire();
    }
    DroppedFiles.drop(disk, files.hour(retentionClass, state.hour()));
    hours.noteDiskBytes(state);
    hours.forgetIfEmpty(state);
  }
}
