package hourglass.query.advice;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.PlannerOptions;
import java.time.Instant;
import java.util.List;

/**
 * The rows of a type hour, and their sums.
 *
 * @param at time of reading the directory
 * @param rows at least one, sorted by shard
 * @param columns an upper bound while any row is unsealed
 * @param bytes of the payloads; an upper bound while any row is unsealed
 */
public record TypeRows(
    TypeHour typeHour,
    Instant at,
    List<RowFill> rows,
    long columns,
    long unsealedColumns,
    long bytes) {

  static TypeRows of(List<RowFill> rows, Instant at) {
    return new TypeRows(
        rows.get(0).entry().row().typeHour(),
        at,
        rows,
        rows.stream().mapToLong(RowFill::columns).sum(),
        rows.stream().filter(row -> !row.entry().sealed()).mapToLong(RowFill::columns).sum(),
        rows.stream().mapToLong(RowFill::bytes).sum());
  }

  public Hour hour() {
    return typeHour.hour();
  }

  public String type() {
    return typeHour.type();
  }

  public int size() {
    return rows.size();
  }

  /** Whether the hour is over. After its end, only late events are added. */
  boolean isOver() {
    return !at.isBefore(hour().end());
  }

  boolean isSealed() {
    return rows.stream().allMatch(row -> row.entry().sealed());
  }

  public Skew skew() {
    return Skew.of(rows.stream().mapToLong(RowFill::columns).toArray());
  }

  long needed(PlannerOptions target) {
    return needed(target.targetColumns(), target.targetBytes());
  }

  long needed(long targetColumns, long targetBytes) {
    double share = Math.max(columns / (double) targetColumns, bytes / (double) targetBytes);
    return Math.max(1, (long) Math.ceil(share));
  }

  boolean isFilledByColumns(PlannerOptions target) {
    return columns / (double) target.targetColumns() >= bytes / (double) target.targetBytes();
  }
}
