package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.store.DroppedHours;
import hourglass.store.Retention;
import hourglass.store.embedded.files.CatalogueRecord;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.SpareRoom;
import hourglass.store.embedded.memory.Hours;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes hours that exceed the retention of their types: first from the catalogue, then the files
 * that have nothing else. Not thread-safe.
 */
public final class HourExpiry {
  private static final Logger logger = LoggerFactory.getLogger(HourExpiry.class);

  private final Hours hours;
  private final PageFiles files;
  private final SectionMerger merger;
  private final MissingParts missing;
  private final RetentionClock clock;
  private final TypeExpiry types;

  public HourExpiry(
      Hours hours,
      PageFiles files,
      SectionMerger merger,
      MissingParts missing,
      Retention retention,
      RetentionClock clock) {
    this.hours = hours;
    this.files = files;
    this.merger = merger;
    this.missing = missing;
    this.clock = clock;
    this.types = new TypeExpiry(new RetentionPolicy(retention), hours, files, missing, merger);
  }

  /**
   * Deletes hours and rows whose retention has passed, as the settings are now, and frees the bytes
   * of deleted hours.
   */
  public void pass() throws IOException {
    Instant now = clock.instant();
    List<ClassHour> expired = types.pass(now);
    delete(expired);
    expired.forEach(
        of -> logger.info("{}: {} of it is over, deleted", of.hour(), of.retentionClass()));
    merger.rewriteDead();
    files.deleteUnused();
  }

  /**
   * Deletes an hour of all classes, and frees its bytes. The catalogue notes that the hour was
   * dropped in the same group in which its pages leave it.
   */
  public void drop(Hour hour) throws IOException {
    if (!hours.known(hour, hour).isEmpty()) {
      record(List.of(hour));
    }
    merger.rewriteGone();
    files.deleteUnused();
  }

  /**
   * Deletes hours like {@link #drop(Hour)}, also if the disk is full: then the spare room takes the
   * record, and only files without other hours are deleted.
   */
  void drop(List<Hour> all, SpareRoom spare) throws IOException {
    try {
      record(all);
    } catch (IOException e) {
      if (!spare.giveUp()) {
        throw e;
      }
      record(all);
    }
    files.deleteUnused();
    merger.rewriteGone();
    spare.keep();
  }

  private void record(List<Hour> dropped) throws IOException {
    Set<Hour> set = Set.copyOf(dropped);
    List<ClassHour> all =
        files.catalogue().hours().stream().filter(of -> set.contains(of.hour())).toList();
    files.catalogue().dropped(DroppedHours.of(set), gone(all));
    forget(all);
  }

  /** Deletes hours durably, all or none. */
  private void delete(List<ClassHour> expired) throws IOException {
    files.catalogue().gone(gone(expired));
    forget(expired);
  }

  private List<CatalogueRecord.Gone> gone(List<ClassHour> all) {
    int since = clock.hour();
    return all.stream().map(of -> new CatalogueRecord.Gone(of, since)).toList();
  }

  private void forget(List<ClassHour> gone) {
    for (ClassHour of : gone) {
      hours.forgetPages(of);
      missing.forget(of);
    }
  }
}
