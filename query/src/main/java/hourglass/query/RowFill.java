package hourglass.query;

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

  static RowFill of(RowEntry entry, QueryOptions options) {
    Manifest manifest = entry.sealed() ? entry.manifest() : null;
    long columns = manifest == null ? entry.columns() : manifest.columns();
    long bytes = manifest == null ? entry.bytes() : manifest.bytes();
    double byColumns = columns / (double) options.targetColumns();
    double byBytes = bytes / (double) options.targetBytes();
    return new RowFill(entry, columns, bytes, Math.max(byColumns, byBytes));
  }
}
