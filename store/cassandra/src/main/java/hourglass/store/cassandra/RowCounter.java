package hourglass.store.cassandra;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.Manifest;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts a range of a row exactly, from the manifest if it suffices, else column by column. Single
 * use, by one thread at a time.
 *
 * <p>Cassandra 5.0 has no function for the length of a blob. With two payloads of one name, a
 * separate length cell could belong to the other one. Counting therefore reads the payloads.
 */
final class RowCounter {
  private final CountQuery query;
  private final Map<Integer, Long> byStep = new HashMap<>();
  private long columns;
  private long bytes;

  RowCounter(CountQuery query) {
    this.query = query;
  }

  /** Whether the manifest suffices for the query. */
  static boolean isKnown(CountQuery query, RowEntry entry) {
    Manifest manifest = entry.manifest();
    if (manifest == null || !entry.sealed()) {
      return false;
    }
    ColumnRange range = query.range();
    long fromHour = query.row().hour().startTicks() - query.originTicks();
    return range.contains(manifest.first())
        && range.contains(manifest.last())
        && query.stepTicks() % Ticks.PER_MINUTE == 0
        && fromHour % Ticks.PER_MINUTE == 0;
  }

  void add(Manifest manifest) {
    columns += manifest.columns();
    bytes += manifest.bytes();
    int[] minutes = manifest.columnsByMinute();
    for (int minute = 0; minute < minutes.length; minute++) {
      if (minutes[minute] > 0) {
        long tick = query.row().hour().startTicks() + minute * Ticks.PER_MINUTE;
        byStep.merge(query.step(tick), (long) minutes[minute], Long::sum);
      }
    }
  }

  void add(Columns stretch) {
    columns += stretch.size();
    bytes += stretch.payloadBytes();
    int from = 0;
    while (from < stretch.size()) {
      int step = query.step(stretch.ticks(from));
      TimeUuid next = TimeUuid.first(query.originTicks() + (step + 1L) * query.stepTicks());
      int to = stretch.lowerBound(next.ticks(), next.lsb(), from);
      byStep.merge(step, (long) (to - from), Long::sum);
      from = to;
    }
  }

  RowCounts counts() {
    return new RowCounts(columns, bytes, byStep);
  }
}
