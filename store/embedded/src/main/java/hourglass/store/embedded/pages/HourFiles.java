package hourglass.store.embedded.pages;

import hourglass.bucketing.Hour;
import java.util.Set;

/**
 * The files that an hour and retention class must have. The files on disk may be newer, but never
 * older.
 *
 * @param retentionClass the name of the folder
 * @param groups the least number of groups in the inventory
 * @param bytes the least length of the inventory
 * @param generations the maps with listed pages
 */
public record HourFiles(
    String retentionClass, Hour hour, long groups, long bytes, Set<Integer> generations) {

  public HourFiles {
    generations = Set.copyOf(generations);
  }

  String key() {
    return key(retentionClass, hour);
  }

  static String key(String retentionClass, Hour hour) {
    return retentionClass + "/" + hour;
  }
}
