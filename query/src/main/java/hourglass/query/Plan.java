package hourglass.query;

import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import java.util.List;

/**
 * What a query would touch at the most, as the directory knows it. Rows are counted whole, though a
 * range may want a part of them, and a limit may end the query in the first.
 *
 * @param hours that have such rows
 * @param rows that may hold what is asked for
 * @param columns in these rows; exact where they are sealed, else an upper bound
 * @param bytes of their payloads, alike
 */
public record Plan(long hours, long rows, long columns, long bytes) {
  public static final Plan NOTHING = new Plan(0, 0, 0, 0);

  /** Of one row. */
  public static Plan of(RowEntry row) {
    Manifest manifest = row.sealed() ? row.manifest() : null;
    return manifest == null
        ? new Plan(0, 1, row.columns(), row.bytes())
        : new Plan(0, 1, manifest.columns(), manifest.bytes());
  }

  /** Of the rows of one hour that a query wants. */
  public static Plan ofHour(EventQuery query, List<RowEntry> rows) {
    Plan sum = rows.stream().filter(query::mayBeIn).map(Plan::of).reduce(Plan.NOTHING, Plan::plus);
    return sum.rows() == 0 ? sum : sum.plus(new Plan(1, 0, 0, 0));
  }

  public Plan plus(Plan other) {
    return new Plan(
        hours + other.hours, rows + other.rows, columns + other.columns, bytes + other.bytes);
  }
}
