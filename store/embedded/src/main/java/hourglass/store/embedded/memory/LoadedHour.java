package hourglass.store.embedded.memory;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.FieldFilter;
import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.LostPage;
import hourglass.store.embedded.files.PageMeta;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An hour in memory: its rows, and its pages by retention class. Thread-safe. */
public final class LoadedHour {
  /** The divisor of the rows up to which each is looked up by its pages, not all by the indexes. */
  private static final int FEW = 8;

  private final Hour hour;
  private final NavigableMap<RowKey, Row> rows = new ConcurrentSkipListMap<>();
  private final Map<String, HourPages> pages = new ConcurrentHashMap<>();
  private final AtomicInteger pins = new AtomicInteger();
  private volatile long usedAt;

  // The number is updated with each change, as a pass over a hundred thousand rows takes too long.
  private final AtomicInteger openRows = new AtomicInteger();
  private final SharedRoom entriesOfAll;

  /** The number of rows and pages. Guarded by entriesOfAll, like all fields below. */
  private int entries;

  private final Map<Object, Integer> rowsMade = new HashMap<>();
  private boolean evicted;

  public LoadedHour(Hour hour, SharedRoom entriesOfAll) {
    this.hour = hour;
    this.entriesOfAll = entriesOfAll;
  }

  public Hour hour() {
    return hour;
  }

  /** Loads the pages of a class, without those in files that are missing. */
  public void add(HourPages loaded, Set<Long> filesMissing) {
    Map<RowKey, Manifest> manifests = new HashMap<>();
    loaded.load(filesMissing, manifests::put);
    pages.put(loaded.of().retentionClass(), loaded);
    Map<RowKey, List<PageRef>> byRow = new HashMap<>();
    for (PageMeta page : loaded.pages()) {
      byRow.computeIfAbsent(page.row(), k -> new ArrayList<>()).add(new PageRef(loaded, page));
    }
    byRow.forEach((key, refs) -> row(key).update(content -> content.flushed(0, refs)));
    manifests.forEach((key, manifest) -> row(key).update(content -> content.newest(manifest)));
    for (LostPage page : loaded.lost()) {
      Row row = rows.get(page.row());
      if (row != null) {
        row.update(RowContent::withLostPage);
      }
    }
  }

  /** Forgets the loss of a page, whose columns its row does not lack any more. */
  public void lossEnded(LostPage page) {
    Row row = rows.get(page.row());
    if (row != null) {
      row.update(RowContent::withoutLostPage);
    }
  }

  /** Returns a row. A new row counts for nobody: it is read from a file or the log. */
  public Row row(RowKey key) {
    return row(key, SharedRoom.NOBODY);
  }

  /** Returns a row. A new row counts as made by the client. */
  Row row(RowKey key, Object client) {
    Row row = rows.get(key);
    if (row == null) {
      Row made = new Row(key, this);
      row = rows.putIfAbsent(key, made);
      if (row == null) {
        addEntries(RowRoom.ROW_ENTRIES, client);
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

  /** Returns the rows of a type that have columns, sorted by key. */
  public List<Row> rows(String type) {
    RowKey first = new RowKey(hour, type, 0);
    RowKey last = new RowKey(hour, type, Integer.MAX_VALUE);
    return rows.subMap(first, true, last, true).values().stream()
        .filter(row -> !row.content().isEmpty())
        .toList();
  }

  /** Returns the entries of the rows that have columns, sorted by key. */
  public List<RowEntry> directory() {
    return directory(rows.values());
  }

  /** Returns the entries of the rows of a type that have columns, sorted by key. */
  public List<RowEntry> directory(String type) {
    return directory(rows(type));
  }

  /**
   * Leaves out rows that have no column which passes a filter, as far as that is known without
   * reading pages.
   *
   * @param some entries of rows of this hour
   */
  public List<RowEntry> mayMatch(List<RowEntry> some, FieldFilter filter) {
    if ((long) FEW * some.size() < rows.size()) {
      return some.stream().filter(entry -> mayMatch(entry.row(), filter)).toList();
    }
    // Open runs are looked at before the pages, since a flush moves their columns into new pages.
    Set<RowKey> kept = new HashSet<>();
    for (RowEntry entry : some) {
      Row row = rows.get(entry.row());
      if (row != null && !row.content().open().isEmpty()) {
        kept.add(entry.row());
      }
    }
    for (HourPages each : pages.values()) {
      if (!each.addRowsThatMayMatch(filter, kept)) {
        return some;
      }
    }
    return some.stream().filter(entry -> kept.contains(entry.row())).toList();
  }

  private boolean mayMatch(RowKey key, FieldFilter filter) {
    Row row = rows.get(key);
    return row != null && row.content().mayMatch(filter);
  }

  private static List<RowEntry> directory(Collection<Row> rows) {
    return rows.stream().map(Row::entry).filter(Objects::nonNull).toList();
  }

  public Collection<HourPages> pages() {
    return pages.values();
  }

  public @Nullable HourPages pages(String retentionClass) {
    return pages.get(retentionClass);
  }

  void remove(String retentionClass) {
    HourPages gone = pages.remove(retentionClass);
    if (gone != null) {
      rows.values().forEach(row -> row.update(content -> content.without(gone)));
      gone.forget();
    }
  }

  /** Counts a change of a row. Must be called in order for each row. */
  void changed(RowContent before, RowContent after) {
    if (before.open().isEmpty() != after.open().isEmpty()) {
      openRows.addAndGet(after.open().isEmpty() ? -1 : 1);
    }
    int pages = pagesBeyondFirst(after) - pagesBeyondFirst(before);
    if (pages != 0) {
      addEntries(pages, SharedRoom.NOBODY);
    }
  }

  private static int pagesBeyondFirst(RowContent content) {
    return Math.max(0, content.pages().size() - 1);
  }

  private void addEntries(int count, Object client) {
    synchronized (entriesOfAll) {
      if (!evicted) {
        Object holder = entriesOfAll.holder(client);
        entries += count;
        entriesOfAll.add(holder, count);
        if (holder != SharedRoom.NOBODY) {
          rowsMade.merge(holder, 1, Integer::sum);
        }
      }
    }
  }

  /** Assigns loaded rows to the clients that made them before an eviction. */
  void restoreMakers(Map<Object, Integer> makers) {
    synchronized (entriesOfAll) {
      makers.forEach(
          (client, made) -> {
            Object holder = entriesOfAll.holder(client);
            long restored = (long) RowRoom.ROW_ENTRIES * made;
            entriesOfAll.release(SharedRoom.NOBODY, restored);
            entriesOfAll.add(holder, restored);
            rowsMade.merge(holder, made, Integer::sum);
          });
    }
  }

  int rowsMade(Object holder) {
    synchronized (entriesOfAll) {
      return rowsMade.getOrDefault(holder, 0);
    }
  }

  public int entries() {
    synchronized (entriesOfAll) {
      return entries;
    }
  }

  /** The number of rows that contain columns in no page. */
  public int openRows() {
    return openRows.get();
  }

  /** Releases the entries, and returns the number of rows that each client made. */
  Map<Object, Integer> evicted() {
    synchronized (entriesOfAll) {
      Map<Object, Integer> makers = Map.copyOf(rowsMade);
      int made = 0;
      for (Map.Entry<Object, Integer> each : makers.entrySet()) {
        entriesOfAll.release(each.getKey(), (long) RowRoom.ROW_ENTRIES * each.getValue());
        made += each.getValue();
      }
      entriesOfAll.release(SharedRoom.NOBODY, entries - (long) RowRoom.ROW_ENTRIES * made);
      rowsMade.clear();
      entries = 0;
      evicted = true;
      return makers;
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
