package hourglass.store.testkit;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.Manifest;
import hourglass.store.ManifestBuilder;
import hourglass.store.NameRanges;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.erasure.BlankedMembers;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A row of an {@link OracleStore}, guarded by the lock of the store. */
final class OracleRow {
  /**
   * The order of names: by timestamps, then by the other eight bytes from the left as signed bytes.
   */
  static final Comparator<TimeUuid> BY_BYTES =
      Comparator.comparingLong(TimeUuid::ticks)
          .thenComparing(
              name -> ByteBuffer.allocate(Long.BYTES).putLong(name.lsb()).array(), Arrays::compare);

  private final RowKey key;
  private final NavigableMap<TimeUuid, byte[]> columns = new TreeMap<>(BY_BYTES);
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

  /** Removes columns, or blanks members of them if there are paths. */
  void erase(Columns names, BlankedMembers blanked, long newMark) {
    for (int i = 0; i < names.size(); i++) {
      columns.computeIfPresent(
          names.id(i),
          (name, payload) ->
              blanked.paths().isEmpty() ? null : blanked.blank(payload, 0, payload.length));
    }
    mark = newMark;
  }

  boolean isEmpty() {
    return columns.isEmpty();
  }

  boolean has(TimeUuid name) {
    return columns.containsKey(name);
  }

  private static byte[] larger(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b) >= 0 ? a : b;
  }

  Slice slice(SliceQuery query) {
    NavigableMap<TimeUuid, byte[]> inside = new TreeMap<>(within(query.range()));
    SliceQuery.Filter filter = query.filter();
    if (filter != null) {
      inside
          .entrySet()
          .removeIf(column -> filter.range().contains(column.getKey()) && fails(filter, column));
    }
    boolean ascending = query.order() == Order.ASCENDING;
    List<TimeUuid> names =
        (ascending ? inside : inside.descendingMap())
            .keySet().stream().limit(query.columnsMax()).sorted(BY_BYTES).toList();
    boolean more = names.size() < inside.size();
    Columns found = columnsOf(names);
    return new Slice(query.projection() == Projection.NAMES ? found.namesOnly() : found, more);
  }

  boolean mayMatch(FieldFilter filter) {
    Columns all = columnsOf(columns.keySet());
    return IntStream.range(0, all.size()).anyMatch(i -> filter.mayMatch(all, i));
  }

  private boolean fails(SliceQuery.Filter filter, Map.Entry<TimeUuid, byte[]> column) {
    return !filter.fields().mayMatch(columnsOf(List.of(column.getKey())), 0);
  }

  private Columns columnsOf(Collection<TimeUuid> names) {
    ColumnsBuilder out = new ColumnsBuilder(names.size(), 0);
    for (TimeUuid name : names) {
      byte[] payload = Objects.requireNonNull(columns.get(name));
      out.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return out.build();
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
            key,
            all.columns(),
            all.bytes(),
            columns.firstKey(),
            columns.lastKey(),
            manifest,
            marks())
        .withNames(NameRanges.of(columnsOf(columns.keySet())));
  }

  void seal() {
    ManifestBuilder builder = new ManifestBuilder(key.hour());
    builder.add(columnsOf(columns.keySet()));
    manifest = builder.build(marks());
  }

  private List<RowEntry.Mark> marks() {
    return List.of(new RowEntry.Mark("oracle", mark));
  }

  private NavigableMap<TimeUuid, byte[]> within(ColumnRange range) {
    return range.isEmpty()
        ? new TreeMap<>(BY_BYTES)
        : columns.subMap(range.from(), true, range.to(), false);
  }
}
