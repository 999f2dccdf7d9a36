package hourglass.store.embedded.maintenance;

import hourglass.store.Retention;
import hourglass.store.embedded.disk.StoreFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The retention of each type as the settings are now, which may differ from the classes under which
 * stored events were filed. Immutable.
 */
final class RetentionPolicy {
  private final Retention retention;

  /** All retentions of types, in whole hours; without those that keep events for ever. */
  private final NavigableSet<Duration> ends = new TreeSet<>();

  private final boolean keepsSomeForever;

  RetentionPolicy(Retention retention) {
    this.retention = retention;
    List<Duration> all = new ArrayList<>(retention.byType().values());
    all.add(retention.byDefault());
    for (Duration keep : all) {
      Duration end = inWholeHours(keep);
      if (end != null) {
        ends.add(end);
      }
    }
    this.keepsSomeForever = all.contains(Retention.FOREVER);
  }

  private static @Nullable Duration inWholeHours(Duration keep) {
    return StoreFiles.retentionOf(StoreFiles.retentionClass(keep));
  }

  /** Whether events of a type go once their hour has been over for so long. */
  boolean isOver(String type, Duration age) {
    Duration keep = inWholeHours(retention.forType(type));
    return keep != null && keep.compareTo(age) <= 0;
  }

  /** Whether events of every type go once their hour has been over for so long. */
  boolean isOverForAll(Duration age) {
    return !keepsSomeForever && ends.last().compareTo(age) <= 0;
  }

  /** Returns the longest retention of a type that is over at an age; null if none is. */
  @Nullable Duration longestOver(Duration age) {
    return ends.floor(age);
  }
}
