package hourglass.query.advice;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.stream.IntStream;

final class Rows {
  static final Hour HOUR = Hour.parse("2026-11-20T08");

  private Rows() {}

  /** The first column is in the tenth minute. */
  static RowEntry open(String type, int shard, long columns, long bytes) {
    return new RowEntry(
        new RowKey(HOUR, type, shard), columns, bytes, minute(10), minute(50), null, List.of());
  }

  /** A row with some columns yet to arrive. */
  static RowEntry ahead(RowEntry row, long columnsAhead) {
    return new RowEntry(
        row.row(),
        row.columns(),
        row.bytes(),
        row.first(),
        row.last(),
        row.manifest(),
        columnsAhead,
        row.marks(),
        null);
  }

  static RowEntry sealed(RowEntry open) {
    Manifest manifest =
        new Manifest(
            open.columns(), open.bytes(), open.first(), open.last(), 1, new int[60], List.of());
    return new RowEntry(
        open.row(),
        open.columns(),
        open.bytes(),
        open.first(),
        open.last(),
        manifest,
        open.marks());
  }

  /** Returns rows from shard 0 on, with 100 B a column. */
  static List<RowFill> fills(PlannerOptions target, String type, long... columns) {
    return IntStream.range(0, columns.length)
        .mapToObj(shard -> open(type, shard, columns[shard], 100 * columns[shard]))
        .map(row -> RowFill.of(row, target))
        .toList();
  }

  static List<RowFill> equal(PlannerOptions target, String type, int rows, long columns) {
    return fills(target, type, IntStream.range(0, rows).mapToLong(any -> columns).toArray());
  }

  private static TimeUuid minute(int minute) {
    return TimeUuid.first(HOUR.startTicks() + minute * Ticks.PER_MINUTE);
  }
}
