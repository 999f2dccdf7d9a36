package hourglass.store;

import hourglass.bucketing.RowKey;

/**
 * A note that columns came late.
 *
 * @param place where the note stands among all; different for each
 * @param row the row that they were written to
 * @param names at least one, without payloads; whether they still are in the row is not said
 */
public record LateArrival(LateArrivalPlace place, RowKey row, Columns names) {
  /** So many names of a note at the most: who reads notes holds one of them at least. */
  public static final int NAMES_MAX = 4_096;

  public LateArrival {
    if (names.isEmpty() || names.size() > NAMES_MAX) {
      throw new IllegalArgumentException(
          "names: " + names.size() + ", want 1 to " + NAMES_MAX + " in a note");
    }
  }
}
