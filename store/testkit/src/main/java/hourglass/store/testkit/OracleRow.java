package hourglass.store.testkit;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.Manifest;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A row of an {@link OracleStore}, guarded by the lock of the store. */
final class OracleRow {
  private final RowKey key;
  private final NavigableMap<TimeUuid, byte[]> columns = new TreeMap<>(TimeUuidOrder.INSTANCE);
  private long mark;
  private @Nullable Manifest manifest;

  OracleRow(RowKey key) {
    this.key = key;
  }

  void upsert(Columns pack, long newMark) {
    for (int i = 0; i < pack.size(); i++) {
      columns.merge(pack.id(i), pack.payload(i), OracleRow::larger);
    }
    mark = newMark;
  }

  boolean has(TimeUuid name) {
    return columns.containsKey(name);
  }

  private static byte[] larger(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b) >= 0 ? a : b;
  }

  Slice slice(SliceQuery query) {
    NavigableMap<TimeUuid, byte[]> inside = within(query.range());
    boolean ascending = query.order() == Order.ASCENDING;
    List<TimeUuid> names =
        (ascending ? inside : inside.descendingMap())
            .keySet().stream().limit(query.columnsMax()).sorted(TimeUuidOrder.INSTANCE).toList();
    boolean more = names.size() < inside.size();
    return new Slice(
        query.projection() == Projection.COLUMNS ? columnsOf(names) : namesOf(names), more);
  }

  private Columns columnsOf(List<TimeUuid> names) {
    ColumnsBuilder out = new ColumnsBuilder(names.size(), 0);
    for (TimeUuid name : names) {
      byte[] payload = payload(name);
      out.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return out.build();
  }

  private Columns namesOf(List<TimeUuid> names) {
    int[] offsets = new int[names.size() + 1];
    for (int i = 0; i < names.size(); i++) {
      offsets[i + 1] = offsets[i] + payload(names.get(i)).length;
    }
    return Columns.ofPacked(
        names.stream().mapToLong(TimeUuid::ticks).toArray(),
        names.stream().mapToLong(TimeUuid::lsb).toArray(),
        offsets,
        new byte[0],
        names.size());
  }

  private byte[] payload(TimeUuid name) {
    byte[] payload = columns.get(name);
    if (payload == null) {
      throw new IllegalStateException("oracle: no column " + name);
    }
    return payload;
  }

  RowCounts count(CountQuery query) {
    long bytes = 0;
    Map<Integer, Long> columnsByStep = new TreeMap<>();
    NavigableMap<TimeUuid, byte[]> inside = within(query.range());
    for (Map.Entry<TimeUuid, byte[]> column : inside.entrySet()) {
      bytes += column.getValue().length;
      columnsByStep.merge(query.step(column.getKey().ticks()), 1L, Long::sum);
    }
    return new RowCounts(inside.size(), bytes, columnsByStep);
  }

  RowEntry entry() {
    RowCounts all = count(CountQuery.all(key));
    return new RowEntry(
        key, all.columns(), all.bytes(), columns.firstKey(), columns.lastKey(), manifest, marks());
  }

  void seal() {
    RowCounts all = count(CountQuery.all(key));
    int[] columnsByMinute = new int[60];
    for (TimeUuid name : columns.keySet()) {
      columnsByMinute[(int) ((name.ticks() - key.hour().startTicks()) / Ticks.PER_MINUTE)]++;
    }
    manifest =
        new Manifest(
            all.columns(),
            all.bytes(),
            columns.firstKey(),
            columns.lastKey(),
            digest(),
            columnsByMinute,
            marks());
  }

  private long digest() {
    long digest = 1;
    for (Map.Entry<TimeUuid, byte[]> column : columns.entrySet()) {
      digest = 31 * digest + column.getKey().hashCode();
      digest = 31 * digest + Arrays.hashCode(column.getValue());
    }
    return digest;
  }

  private List<RowEntry.Mark> marks() {
    return List.of(new RowEntry.Mark("oracle", mark));
  }

  private NavigableMap<TimeUuid, byte[]> within(ColumnRange range) {
    return range.isEmpty()
        ? new TreeMap<>(TimeUuidOrder.INSTANCE)
        : columns.subMap(range.from(), true, range.to(), false);
  }
}
