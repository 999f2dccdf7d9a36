package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.HourFiles;
import hourglass.store.embedded.files.HourFolders;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.memory.Hours;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes hours that exceed the retention of their class, as whole files. Not thread-safe. */
public final class HourExpiry {
  private static final Logger logger = LoggerFactory.getLogger(HourExpiry.class);

  private final Disk disk;
  private final Hours hours;
  private final StoreFiles files;
  private final StoreCatalogue catalogue;
  private final MissingParts missing;
  private final RetentionClock clock;

  public HourExpiry(
      Disk disk,
      Hours hours,
      StoreFiles files,
      StoreCatalogue catalogue,
      MissingParts missing,
      RetentionClock clock) {
    this.disk = disk;
    this.hours = hours;
    this.files = files;
    this.catalogue = catalogue;
    this.missing = missing;
    this.clock = clock;
  }

  public void pass() throws IOException {
    for (Path retentionClass : HourFolders.classesNow(files)) {
      String name = retentionClass.getFileName().toString();
      if (StoreFiles.retentionOf(name) == null) {
        continue;
      }
      for (Path dir : HourFolders.hoursNow(retentionClass)) {
        if (HourFolders.isDropped(dir)) {
          disk.deleteDropped(dir);
        } else {
          dropIfExpired(HourFolders.hour(dir), name);
        }
      }
    }
    for (HourFiles listed : catalogue.hours()) {
      if (missing.isOf(listed.hour())) { // its folder may be missing
        dropIfExpired(listed.hour(), listed.retentionClass());
      }
    }
  }

  public void drop(Hour hour) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path retentionClass : HourFolders.classesNow(files)) {
      names.add(retentionClass.getFileName().toString());
    }
    catalogue.hours().stream()
        .filter(listed -> listed.hour().equals(hour))
        .forEach(listed -> names.add(listed.retentionClass()));
    for (String retentionClass : names) {
      drop(hour, retentionClass);
    }
  }

  /** Drops an hour whose retention has passed. A failure does not affect other hours. */
  private void dropIfExpired(Hour hour, String retentionClass) {
    Duration keep = StoreFiles.retentionOf(retentionClass);
    if (keep == null || hour.end().plus(keep).isAfter(clock.instant())) {
      return;
    }
    try {
      drop(hour, retentionClass);
      logger.info("{}: {} of it is over, deleted", hour, retentionClass);
    } catch (IOException | RuntimeException e) {
      logger.warn("{}: {} of it is over, and cannot be deleted yet", hour, retentionClass, e);
    }
  }

  /** Drops an hour of a class. A repeat deletes the remaining files. */
  private void drop(Hour hour, String retentionClass) throws IOException {
    hours.with(
        hour,
        state -> {
          PageFiles dropped = state.files(retentionClass);
          if (dropped != null) {
            state.remove(retentionClass);
            dropped.retire();
          }
          catalogue.gone(retentionClass, hour);
          missing.forget(retentionClass, hour);
          disk.dropFolder(files.hour(retentionClass, hour));
          hours.recordDiskBytes(state);
          hours.forgetIfEmpty(state);
          return state;
        });
  }
}
