package hourglass.store.embedded.maintenance;

import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.Row;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A merge that was written, and the copies of its pages by number. */
record WrittenMerge(HourPages pages, LoadedHour state, Map<Long, PageMeta> copies) {
  /** Lets reads use the copies, once they are listed. */
  void show() {
    Set<Row> rows = new HashSet<>();
    copies.values().forEach(page -> rows.add(state.row(page.row())));
    rows.forEach(row -> row.update(now -> now.moved(pages, copies)));
  }
}
