package hourglass.store.embedded.codec;

import hourglass.store.ColumnRange;
import hourglass.store.Columns;

/**
 * The columns of a page that may match a filter.
 *
 * @param certain whether all of them match for certain; then there may be names alone
 */
public record Matches(Columns columns, boolean certain) {
  public static final Matches NONE = new Matches(Columns.EMPTY, true);

  public static Matches possible(Columns columns) {
    return new Matches(columns, false);
  }

  public Matches within(ColumnRange range) {
    return new Matches(columns.within(range), certain);
  }
}
