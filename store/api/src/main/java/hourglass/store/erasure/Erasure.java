package hourglass.store.erasure;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import java.time.Instant;
import java.util.List;

/**
 * Columns that no answer may show any more, and whose bytes leave the store. It has no text of the
 * request, since that may contain what is to be erased. Immutable.
 *
 * @param id names the erasure; its ticks are the time at which it was requested
 * @param rows each row once, and each with at least one name
 * @param blanked the paths of members that become {@code null} in these columns, which stay; empty
 *     if the columns go as a whole
 */
public record Erasure(TimeUuid id, List<ErasedRow> rows, List<String> blanked) {
  /**
   * The most columns of an erasure. Their names are in memory, some 40 bytes each, until their
   * bytes are gone; whoever wants more erases in parts, or drops an hour.
   */
  public static final int COLUMNS_MAX = 1_000_000;

  /** The most members that an erasure blanks: a payload is searched once for each. */
  public static final int BLANKED_MAX = 32;

  public Erasure {
    rows = List.copyOf(rows);
    blanked = List.copyOf(blanked);
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("erasure: no rows");
    }
    if (blanked.size() > BLANKED_MAX) {
      throw new IllegalArgumentException(
          "erasure: " + blanked.size() + " members, want at most " + BLANKED_MAX);
    }
    long columns = rows.stream().mapToLong(row -> row.names().size()).sum();
    if (columns > COLUMNS_MAX) {
      throw new IllegalArgumentException(
          "erasure: " + columns + " columns, want at most " + COLUMNS_MAX);
    }
  }

  /** Returns the number of columns. */
  public int columns() {
    return rows.stream().mapToInt(row -> row.names().size()).sum();
  }

  /** Returns the time at which the erasure was requested. */
  public Instant at() {
    return Ticks.toInstant(id.ticks());
  }
}
