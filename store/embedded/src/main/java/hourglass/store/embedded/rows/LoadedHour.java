package hourglass.store.embedded.rows;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Manifest;
import hourglass.store.embedded.pages.InventoryRecord;
import hourglass.store.embedded.pages.PageFiles;
import hourglass.store.embedded.pages.PageMeta;
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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An hour in memory: its rows, and its files by retention class. Thread-safe. */
public final class LoadedHour {
  private final Hour hour;
  private final RowTally tally;
  private final NavigableMap<RowKey, Row> rows = new ConcurrentSkipListMap<>();
  private final Map<String, PageFiles> files = new ConcurrentHashMap<>();
  private final AtomicInteger pins = new AtomicInteger();
  private volatile long usedAt;

  /**
   * Creates an empty hour.
   *
   * @param entriesOfAll counts the entries of all hours in memory
   */
  public LoadedHour(Hour hour, AtomicLong entriesOfAll) {
    this.hour = hour;
    this.tally = new RowTally(entriesOfAll);
  }

  public Hour hour() {
    return hour;
  }

  /** Loads the files of a class, and adds their pages to rows. */
  public void add(String retentionClass, PageFiles loaded) throws IOException {
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

  public Row row(RowKey key) {
    Row row = rows.get(key);
    return row != null ? row : make(key);
  }

  private Row make(RowKey key) {
    Row made = new Row(key, tally);
    Row there = rows.putIfAbsent(key, made);
    if (there != null) {
      return there;
    }
    tally.rowMade();
    return made;
  }

  public @Nullable Row rowIfPresent(RowKey key) {
    return rows.get(key);
  }

  /** The rows with columns, by key. */
  public List<Row> rows() {
    return rows.values().stream().filter(row -> !row.content().isEmpty()).toList();
  }

  /** The rows of a type with columns, by key. */
  public List<Row> rows(String type) {
    RowKey first = new RowKey(hour, type, 0);
    RowKey last = new RowKey(hour, type, Integer.MAX_VALUE);
    return rows.subMap(first, true, last, true).values().stream()
        .filter(row -> !row.content().isEmpty())
        .toList();
  }

  public Collection<PageFiles> files() {
    return files.values();
  }

  public @Nullable PageFiles files(String retentionClass) {
    return files.get(retentionClass);
  }

  /** Forgets the files of a class, and its pages in all rows. */
  public void remove(String retentionClass) {
    PageFiles gone = files.remove(retentionClass);
    for (Row row : rows.values()) {
      row.update(content -> content.without(gone));
    }
  }

  /** Counts the hour's entries in memory, and its rows with columns that are in no page. */
  public RowTally tally() {
    return tally;
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

  /** The last use, by a counter that only grows. */
  long usedAt() {
    return usedAt;
  }
}
