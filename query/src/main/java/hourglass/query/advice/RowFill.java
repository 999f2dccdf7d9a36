package hourglass.query.advice;

import hourglass.bucketing.shards.PlannerOptions;
import hourglass.query.Plan;
import hourglass.store.RowEntry;

/**
 * A row and its fill.
 *
 * @param columns exact if the row is sealed, otherwise an upper bound
 * @param bytes of the payloads; exact if the row is sealed, otherwise an upper bound
 * @param fill the larger ratio to the two targets; 1.0 is a row at its target
 */
public record RowFill(RowEntry entry, long columns, long bytes, double fill) {

  public static RowFill of(RowEntry entry, PlannerOptions target) {
    Plan row = Plan.of(entry);
    double byColumns = row.columns() / (double) target.targetColumns();
    double byBytes = row.bytes() / (double) target.targetBytes();
    return new RowFill(entry, row.columns(), row.bytes(), Math.max(byColumns, byBytes));
  }
}
