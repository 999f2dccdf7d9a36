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
public final class RetentionPolicy {
  private final Retention retention;

  /** All retentions of types, in whole hours; without those that keep events for ever. */
  private final NavigableSet<Duration> ends = new TreeSet<>();

  private final boolean keepsSomeForever;

  public RetentionPolicy(Retention retention) {
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

  /**
   * Foresees the end of an hour of a class. It is that of the class if a type has this retention
   * now. After a change of the settings it is the class's, within those that there are now.
   *
   * @param ofClass the retention of the class; null if it keeps events for ever
   * @return null if no end is foreseen
   */
  @Nullable Duration foreseen(@Nullable Duration ofClass) {
    if (ofClass != null && ends.contains(ofClass)) {
      return ofClass;
    }
    Duration longest = keepsSomeForever || ends.isEmpty() ? null : ends.last();
    if (ofClass == null || ends.isEmpty()) {
      return longest;
    }
    Duration atLeast = ofClass.compareTo(ends.first()) < 0 ? ends.first() : ofClass;
    return longest != null && longest.compareTo(atLeast) < 0 ? longest : atLeast;
  }
}
