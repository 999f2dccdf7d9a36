package hourglass.query.count;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.query.Selection;
import hourglass.query.TypeCount;
import hourglass.query.scan.StoreAccess;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/** Counts the events of each type exactly, and the bytes of their payloads. Thread-safe. */
public final class TypesCount {
  /** The memory of a type: its entry, counts and name. */
  private static final int TYPE_BYTES = 200;

  private final StoreAccess access;

  /** The counts by type. Guarded by this. */
  private final TreeMap<String, TypeCount> counts = new TreeMap<>(EventType::compare);

  private TypesCount(StoreAccess access) {
    this.access = access;
  }

  /** Returns the types with events in the selection, sorted by the code points of their names. */
  public static CompletionStage<List<TypeCount>> run(
      Selection selection, EventCounter counter, StoreAccess access) {
    TypesCount counts = new TypesCount(access);
    return counter
        .forEachType(selection, rows -> counts.count(rows, selection, counter))
        .thenApply(done -> counts.all());
  }

  private CompletionStage<?> count(List<RowEntry> rows, Selection selection, EventCounter counter) {
    RowKey row = rows.get(0).row();
    Hour hour = row.hour();
    return counter
        .count(rows, selection.range().within(hour), hour.startTicks(), Ticks.PER_HOUR)
        .thenAccept(counted -> add(row.type(), counted));
  }

  private synchronized void add(String type, RowCounts more) {
    if (more.columns() > 0) {
      if (!counts.containsKey(type)) {
        access.account().take(TYPE_BYTES);
      }
      counts.merge(type, new TypeCount(type, more.columns(), more.bytes()), TypeCount::plus);
    }
  }

  private synchronized List<TypeCount> all() {
    return List.copyOf(counts.values());
  }
}
