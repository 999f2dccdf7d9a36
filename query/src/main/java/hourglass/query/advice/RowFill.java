package hourglass.query.advice;

import hourglass.bucketing.shards.PlannerOptions;
import hourglass.store.Manifest;
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
    Manifest manifest = entry.sealed() ? entry.manifest() : null;
    long columns = manifest == null ? entry.columns() : manifest.columns();
    long bytes = manifest == null ? entry.bytes() : manifest.bytes();
    double byColumns = columns / (double) target.targetColumns();
    double byBytes = bytes / (double) target.targetBytes();
    return new RowFill(entry, columns, bytes, Math.max(byColumns, byBytes));
  }
}
