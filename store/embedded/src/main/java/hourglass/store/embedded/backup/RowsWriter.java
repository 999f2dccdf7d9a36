package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import java.io.IOException;
import java.util.HexFormat;

/** Writes the rows of a day, hour by hour; see docs/backup-format.md. Not thread-safe. */
final class RowsWriter {
  private final LineWriter out;
  private long rows;
  private long columns;
  private long damaged;

  RowsWriter(LineWriter out) {
    this.out = out;
  }

  /** Begins an hour; its rows follow. */
  void hour(Hour hour) throws IOException {
    out.line("hour", hour.toString());
  }

  void row(RowProof row) throws IOException {
    rows++;
    columns += row.columns();
    out.line(
        "row",
        row.row().toString(),
        Long.toString(row.columns()),
        Long.toString(row.bytes()),
        HexFormat.of().toHexDigits(row.digest()));
  }

  /** Adds a row that cannot be read in the store itself. */
  void damaged(RowKey row) throws IOException {
    damaged++;
    out.line("damaged", row.toString());
  }

  /** Adds an hour whose rows are not known, as its directory cannot be read in the store itself. */
  void damagedHour(Hour hour) throws IOException {
    damaged++;
    out.line("damaged", hour.toString());
  }

  Point.Totals totals() {
    return new Point.Totals(rows, columns, damaged);
  }
}
