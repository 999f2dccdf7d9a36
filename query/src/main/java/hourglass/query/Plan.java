package hourglass.query;

import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import java.util.List;

/**
 * An upper bound on the reads of a query, from the directory. It counts whole rows, although the
 * range may cover only a part, and a limit may end the query sooner.
 *
 * @param columns exact for sealed rows, else an upper bound
 * @param bytes bytes of their payloads, likewise
 */
public record Plan(long hours, long rows, long columns, long bytes) {
  public static final Plan NOTHING = new Plan(0, 0, 0, 0);

  public static Plan of(RowEntry row) {
    Manifest manifest = row.sealed() ? row.manifest() : null;
    return manifest == null
        ? new Plan(0, 1, row.columns(), row.bytes())
        : new Plan(0, 1, manifest.columns(), manifest.bytes());
  }

  /** The plan of some rows, without their hours. */
  public static Plan of(List<RowEntry> rows) {
    return rows.stream().map(Plan::of).reduce(NOTHING, Plan::plus);
  }

  /** The plan of those rows of one hour that a query reads. */
  public static Plan ofHour(EventQuery query, List<RowEntry> rows) {
    Plan sum = of(rows.stream().filter(query::mayBeIn).toList());
    return sum.rows() == 0 ? sum : sum.plus(new Plan(1, 0, 0, 0));
  }

  public Plan plus(Plan other) {
    return new Plan(
        hours + other.hours, rows + other.rows, columns + other.columns, bytes + other.bytes);
  }
}
