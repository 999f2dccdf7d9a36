package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.DroppedHours;
import java.util.ArrayList;
import java.util.List;

/**
 * All that the records of a catalogue list. One thread at a time takes records; pages and dropped
 * hours may be read meanwhile.
 */
final class Inventory {
  private final ListedPages pages = new ListedPages();
  private final List<DroppedHours> newDropped = new ArrayList<>();
  private volatile DroppedHours dropped = DroppedHours.NONE;
  private CatalogueRecord.Log log = new CatalogueRecord.Log(0, 0, 0);

  void take(CatalogueRecord record) {
    if (record instanceof PageFileRecord file) {
      pages.add(file);
    } else if (record instanceof CatalogueRecord.Gone gone) {
      pages.remove(gone);
    } else if (record instanceof LostPage page) {
      pages.add(page);
    } else if (record instanceof CatalogueRecord.LossEnded ended) {
      pages.remove(ended);
    } else if (record instanceof CatalogueRecord.Log newest) {
      log = newest;
    } else if (record instanceof CatalogueRecord.Dropped more) {
      newDropped.add(DroppedHours.of(more.hours()));
    } else if (record instanceof CatalogueRecord.DroppedType more) {
      newDropped.add(DroppedHours.of(more.of()));
    }
  }

  /** Joins dropped hours, once for many records, since each time looks at all that there are. */
  void endRecords() {
    if (!newDropped.isEmpty()) {
      newDropped.add(dropped);
      dropped = DroppedHours.union(newDropped);
      newDropped.clear();
    }
  }

  ListedPages pages() {
    return pages;
  }

  DroppedHours dropped() {
    return dropped;
  }

  CatalogueRecord.Log log() {
    return log;
  }

  /** The number of entries that a new catalogue file has, about. */
  long entries() {
    return pages.entries() + dropped.ranges().size() + dropped.types().size();
  }

  /** Returns what is listed after {@link #endRecords}. */
  CatalogueContent content() {
    return new CatalogueContent(log, pages.records(), pages.lost(Hour.FIRST, Hour.LAST), dropped);
  }
}
