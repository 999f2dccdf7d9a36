package hourglass.store.embedded.maintenance;

import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.PageFiles;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the events that exceed the retention of their types. Not thread-safe. */
public final class HourExpiry {
  private static final Logger logger = LoggerFactory.getLogger(HourExpiry.class);

  private final TypeExpiry types;
  private final HourDeletion deletion;
  private final PageFiles files;
  private final SectionMerger merger;
  private final RetentionClock clock;

  public HourExpiry(
      TypeExpiry types,
      HourDeletion deletion,
      PageFiles files,
      SectionMerger merger,
      RetentionClock clock) {
    this.types = types;
    this.deletion = deletion;
    this.files = files;
    this.merger = merger;
    this.clock = clock;
  }

  /**
   * Deletes hours and rows whose retention has passed, as the settings are now, and frees the bytes
   * of deleted hours.
   */
  public void pass() throws IOException {
    List<ClassHour> expired = types.pass(clock.instant());
    deletion.expire(expired);
    expired.forEach(
        of -> logger.info("{}: {} of it is over, deleted", of.hour(), of.retentionClass()));
    merger.rewriteDead();
    files.deleteUnused();
    files.aside().deleteUnused();
  }
}
