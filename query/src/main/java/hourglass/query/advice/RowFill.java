package hourglass.query.advice;

import hourglass.bucketing.shards.PlannerOptions;
import hourglass.store.Manifest;
import hourglass.store.RowEntry;

/**
 * A row of the directory and how full it is.
 *
 * @param entry what the directory knows
 * @param columns exact where the row is sealed, else an upper bound
 * @param bytes of the payloads, alike
 * @param fill the larger share of the two targets: 1.0 is a row as wide as rows are meant to be
 */
public record RowFill(RowEntry entry, long columns, long bytes, double fill) {

  /**
   * How full a row is.
   *
   * @param target has the two
   */
  public static RowFill of(RowEntry entry, PlannerOptions target) {
    Manifest manifest = entry.sealed() ? entry.manifest() : null;
    long columns = manifest == null ? entry.columns() : manifest.columns();
    long bytes = manifest == null ? entry.bytes() : manifest.bytes();
    double byColumns = columns / (double) target.targetColumns();
    double byBytes = bytes / (double) target.targetBytes();
    return new RowFill(entry, columns, bytes, Math.max(byColumns, byBytes));
  }
}
