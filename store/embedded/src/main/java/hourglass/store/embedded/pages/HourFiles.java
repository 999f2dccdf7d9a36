package hourglass.store.embedded.pages;

import hourglass.bucketing.Hour;
import java.util.Set;

/**
 * What must be there of an hour and retention class. What is there may be newer, and never older.
 *
 * @param retentionClass the name of its folder
 * @param groups of the inventory, at least
 * @param bytes of the inventory, at least
 * @param generations the maps with listed pages
 */
public record HourFiles(
    String retentionClass, Hour hour, long groups, long bytes, Set<Integer> generations) {

  public HourFiles {
    generations = Set.copyOf(generations);
  }

  /** The key of the class and hour. */
  String key() {
    return key(retentionClass, hour);
  }

  static String key(String retentionClass, Hour hour) {
    return retentionClass + "/" + hour;
  }
}
