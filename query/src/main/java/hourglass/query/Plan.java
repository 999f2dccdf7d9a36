package hourglass.query;

import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import java.util.List;

/**
 * An upper bound on the reads of a query, from the directory. It counts whole rows, even if the
 * range or a limit ends sooner. Columns and payload bytes are exact for sealed rows.
 */
public record Plan(long hours, long rows, long columns, long bytes) {
  public static final Plan NOTHING = new Plan(0, 0, 0, 0);

  public static Plan of(RowEntry row) {
    Manifest manifest = row.sealed() ? row.manifest() : null;
    return manifest == null
        ? new Plan(0, 1, row.columns(), row.bytes())
        : new Plan(0, 1, manifest.columns(), manifest.bytes());
  }

  /** Returns the plan of some rows, without their hours. */
  public static Plan of(List<RowEntry> rows) {
    return rows.stream().map(Plan::of).reduce(NOTHING, Plan::plus);
  }

  public static Plan ofHour(EventQuery query, List<RowEntry> rows) {
    Plan sum = of(rows.stream().filter(query::mayBeIn).toList());
    return sum.rows() == 0 ? sum : sum.plus(new Plan(1, 0, 0, 0));
  }

  public Plan plus(Plan other) {
    return new Plan(
        hours + other.hours, rows + other.rows, columns + other.columns, bytes + other.bytes);
  }
}
