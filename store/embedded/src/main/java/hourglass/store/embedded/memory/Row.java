package hourglass.store.embedded.memory;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Manifest;
import hourglass.store.NameRanges;
import hourglass.store.RowEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A row in memory. Its content is replaced as a whole. Thread-safe. */
public final class Row {
  /**
   * The ranges of names of an entry: a few for each page, so that a short row that was filled at
   * the same time as a full one shares none with it. They are kept with the entry, and need less
   * memory than the page's own entry.
   */
  private static final int NAME_RANGES_MIN = 16;

  private static final int NAME_RANGES_PER_PART = 4;

  private static final int NAME_RANGES_MAX = 256;

  private final RowKey key;
  private final LoadedHour hour;
  private volatile RowContent content = RowContent.EMPTY;
  private volatile long lastWriteMillis;

  /**
   * The entry of the content, kept once it was needed, as its ranges of names take a while to join.
   */
  private volatile @Nullable RowEntry entry;

  public Row(RowKey key, LoadedHour hour) {
    this.key = key;
    this.hour = hour;
  }

  public RowKey key() {
    return key;
  }

  public RowContent content() {
    return content;
  }

  public synchronized void update(UnaryOperator<RowContent> change) {
    RowContent before = content;
    content = change.apply(before);
    entry = null;
    hour.changed(before, content);
  }

  void written(long nowMillis) {
    lastWriteMillis = nowMillis;
  }

  /**
   * The time of the last write of this process, in milliseconds since 1970; 0 if there was none.
   */
  public long lastWriteMillis() {
    return lastWriteMillis;
  }

  /** Returns the directory entry; null if the row has no columns. Reads no page. */
  public @Nullable RowEntry entry() {
    RowEntry known = entry;
    return known != null ? known : newEntry();
  }

  private synchronized @Nullable RowEntry newEntry() {
    RowEntry made = content.isEmpty() ? null : entry(content);
    entry = made;
    return made;
  }

  private RowEntry entry(RowContent now) {
    Manifest manifest = now.manifest();
    List<RowPart> parts = now.parts().toList();
    if (manifest != null && now.isSealed()) {
      return new RowEntry(
              key,
              manifest.columns(),
              manifest.bytes(),
              manifest.first(),
              manifest.last(),
              manifest,
              manifest.marks())
          .withNames(names(parts));
    }
    Comparator<TimeUuid> order = Comparator.naturalOrder();
    return new RowEntry(
            key,
            parts.stream().mapToLong(RowPart::count).sum(),
            parts.stream().mapToLong(RowPart::payloadBytes).sum(),
            parts.stream().map(RowPart::first).min(order).orElseThrow(),
            parts.stream().map(RowPart::last).max(order).orElseThrow(),
            manifest,
            now.marks())
        .withNames(names(parts));
  }

  private static @Nullable NameRanges names(List<RowPart> parts) {
    List<NameRanges> all = new ArrayList<>(parts.size());
    for (RowPart part : parts) {
      NameRanges names = part.names();
      if (names == null) {
        return null;
      }
      all.add(names);
    }
    int rangesMax = NAME_RANGES_MIN + NAME_RANGES_PER_PART * parts.size();
    return NameRanges.union(all, Math.min(rangesMax, NAME_RANGES_MAX));
  }
}
