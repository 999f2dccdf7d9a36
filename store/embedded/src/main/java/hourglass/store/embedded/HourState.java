package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Manifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An hour in memory: its rows, and its files by retention class. Thread-safe. */
final class HourState {
  private final Hour hour;
  private final NavigableMap<RowKey, Row> rows = new ConcurrentSkipListMap<>();
  private final Map<String, PageFiles> files = new ConcurrentHashMap<>();
  private final AtomicInteger pins = new AtomicInteger();
  private volatile long usedAt;

  HourState(Hour hour) {
    this.hour = hour;
  }

  Hour hour() {
    return hour;
  }

  /** Takes in the files of a class, whose pages become parts of rows. */
  void add(String retentionClass, PageFiles loaded) throws IOException {
    List<PageMeta> pages = new ArrayList<>();
    Map<RowKey, Manifest> manifests = new HashMap<>();
    loaded.load(
        new InventoryRecord.Sink() {
          @Override
          public void added(PageMeta page) {
            pages.add(page);
          }

          @Override
          public void removed(long page) {}

          @Override
          public void sealed(RowKey row, Manifest manifest) {
            manifests.put(row, manifest);
          }
        });
    files.put(retentionClass, loaded);
    Map<RowKey, List<PageRef>> byRow = new HashMap<>();
    for (PageMeta page : pages) {
      byRow.computeIfAbsent(page.row(), k -> new ArrayList<>()).add(new PageRef(loaded, page));
    }
    byRow.forEach((key, refs) -> row(key).update(content -> content.flushed(0, refs)));
    manifests.forEach((key, manifest) -> row(key).update(content -> content.sealed(manifest)));
  }

  Row row(RowKey key) {
    Row row = rows.get(key);
    return row != null ? row : rows.computeIfAbsent(key, Row::new);
  }

  @Nullable Row rowIfPresent(RowKey key) {
    return rows.get(key);
  }

  /** The rows that have columns, by key. */
  List<Row> rows() {
    return rows.values().stream().filter(row -> !row.content().isEmpty()).toList();
  }

  /** Those of one type. */
  List<Row> rows(String type) {
    RowKey first = new RowKey(hour, type, 0);
    RowKey last = new RowKey(hour, type, Integer.MAX_VALUE);
    return rows.subMap(first, true, last, true).values().stream()
        .filter(row -> !row.content().isEmpty())
        .toList();
  }

  Collection<PageFiles> files() {
    return files.values();
  }

  @Nullable PageFiles files(String retentionClass) {
    return files.get(retentionClass);
  }

  /** Forgets the files of a class, and its pages in all rows. */
  void remove(String retentionClass) {
    PageFiles gone = files.remove(retentionClass);
    for (Row row : rows.values()) {
      row.update(content -> content.without(gone));
    }
  }

  /** Whether any row has columns that are in no page. */
  boolean hasOpenRuns() {
    return rows.values().stream().anyMatch(row -> !row.content().open().isEmpty());
  }

  int pageCount() {
    return files.values().stream().mapToInt(PageFiles::pageCount).sum();
  }

  void pin(long now) {
    pins.incrementAndGet();
    usedAt = now;
  }

  void unpin() {
    pins.decrementAndGet();
  }

  boolean isPinned() {
    return pins.get() > 0;
  }

  /** When the hour was last used, on a counter that only grows. */
  long usedAt() {
    return usedAt;
  }
}
