package hourglass.query.advice;

import hourglass.bucketing.Hour;
import hourglass.bucketing.shards.PlannerOptions;
import java.util.List;

/**
 * The rows of a type hour, and their sums.
 *
 * @param rows at least one
 * @param bytes of the payloads
 */
record TypeRows(Hour hour, String type, List<RowFill> rows, long columns, long bytes) {

  /**
   * @param rows of one type hour, at least one
   */
  static TypeRows of(List<RowFill> rows) {
    return new TypeRows(
        rows.get(0).entry().row().hour(),
        rows.get(0).entry().row().type(),
        rows,
        rows.stream().mapToLong(RowFill::columns).sum(),
        rows.stream().mapToLong(RowFill::bytes).sum());
  }

  int size() {
    return rows.size();
  }

  Skew skew() {
    return Skew.of(rows.stream().mapToLong(RowFill::columns).toArray());
  }

  /** The number of rows needed if each were filled to its target. */
  long needed(PlannerOptions target) {
    return needed(target.targetColumns(), target.targetBytes());
  }

  long needed(long targetColumns, long targetBytes) {
    double share = Math.max(columns / (double) targetColumns, bytes / (double) targetBytes);
    return Math.max(1, (long) Math.ceil(share));
  }

  /** Whether the columns fill the rows before the bytes do. */
  boolean isFilledByColumns(PlannerOptions target) {
    return columns / (double) target.targetColumns() >= bytes / (double) target.targetBytes();
  }
}
