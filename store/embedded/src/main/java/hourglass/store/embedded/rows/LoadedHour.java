package hourglass.store.embedded.rows;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Manifest;
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
  private final NavigableMap<RowKey, Row> rows = new ConcurrentSkipListMap<>();
  private final Map<String, PageFiles> files = new ConcurrentHashMap<>();
  private final AtomicInteger pins = new AtomicInteger();
  private volatile long usedAt;

  // Counted with each change, as a pass over a hundred thousand rows takes too long.
  private final AtomicInteger openRows = new AtomicInteger();
  private final AtomicLong entriesOfAll;

  /** Rows and pages; guarded by entriesOfAll, as is evicted. */
  private int entries;

  private boolean evicted;

  public LoadedHour(Hour hour, AtomicLong entriesOfAll) {
    this.hour = hour;
    this.entriesOfAll = entriesOfAll;
  }

  public Hour hour() {
    return hour;
  }

  public void add(String retentionClass, PageFiles loaded) throws IOException {
    Map<RowKey, Manifest> manifests = new HashMap<>();
    loaded.load(manifests::put);
    files.put(retentionClass, loaded);
    Map<RowKey, List<PageRef>> byRow = new HashMap<>();
    for (PageMeta page : loaded.pages()) {
      byRow.computeIfAbsent(page.row(), k -> new ArrayList<>()).add(new PageRef(loaded, page));
    }
    byRow.forEach((key, refs) -> row(key).update(content -> content.flushed(0, refs)));
    manifests.forEach((key, manifest) -> row(key).update(content -> content.sealed(manifest)));
  }

  public Row row(RowKey key) {
    Row row = rows.get(key);
    if (row == null) {
      Row made = new Row(key, this);
      row = rows.putIfAbsent(key, made);
      if (row == null) {
        addEntries(1);
        return made;
      }
    }
    return row;
  }

  public @Nullable Row rowIfPresent(RowKey key) {
    return rows.get(key);
  }

  public List<Row> rows() {
    return rows.values().stream().filter(row -> !row.content().isEmpty()).toList();
  }

  /** By key; only rows with columns. */
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

  public void remove(String retentionClass) {
    PageFiles gone = files.remove(retentionClass);
    for (Row row : rows.values()) {
      row.update(content -> content.without(gone));
    }
  }

  /** Called in order for each row. */
  void changed(RowContent before, RowContent after) {
    if (before.open().isEmpty() != after.open().isEmpty()) {
      openRows.addAndGet(after.open().isEmpty() ? -1 : 1);
    }
    int pages = after.pages().size() - before.pages().size();
    if (pages != 0) {
      addEntries(pages);
    }
  }

  private void addEntries(int count) {
    synchronized (entriesOfAll) {
      if (!evicted) {
        entries += count;
        entriesOfAll.addAndGet(count);
      }
    }
  }

  public int entries() {
    synchronized (entriesOfAll) {
      return entries;
    }
  }

  /** Rows with columns in no page. */
  public int openRows() {
    return openRows.get();
  }

  void evicted() {
    synchronized (entriesOfAll) {
      entriesOfAll.addAndGet(-entries);
      entries = 0;
      evicted = true;
    }
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

  long usedAt() {
    return usedAt;
  }
}
