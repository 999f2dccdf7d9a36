package hourglass.store;

import hourglass.bucketing.RowKey;

/**
 * A record of late columns of one row.
 *
 * @param place unique among all records
 * @param names at least one, without payloads; the row may no longer contain them
 */
public record LateArrival(LateArrivalPlace place, RowKey row, Columns names) {
  /** The greatest number of names in a record; a reader holds at least one record in memory. */
  public static final int NAMES_MAX = 4_096;

  public LateArrival {
    if (names.isEmpty() || names.size() > NAMES_MAX) {
      throw new IllegalArgumentException(
          "names: " + names.size() + ", want 1 to " + NAMES_MAX + " in a record");
    }
  }
}
