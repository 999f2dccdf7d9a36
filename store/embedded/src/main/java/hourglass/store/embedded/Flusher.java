package hourglass.store.embedded;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Moves the columns of ended log segments into pages: put, force, list in the inventory, show, and
 * only then cut the log. Not thread-safe.
 */
final class Flusher {
  private final Hours hours;
  private final PageWriter writer;
  private final Function<String, String> retentionClassOfType;

  Flusher(Hours hours, PageWriter writer, Function<String, String> retentionClassOfType) {
    this.hours = hours;
    this.writer = writer;
    this.retentionClassOfType = retentionClassOfType;
  }

  /**
   * Flushes every column of log segments up to one. After an exception it can be called again: what
   * was done is not done twice.
   */
  void flush(long segment) throws IOException {
    for (HourState state : hours.loaded()) {
      Map<String, List<Row>> rowsByClass = new HashMap<>();
      for (Row row : state.rows()) {
        if (row.content().hasOpenRuns(segment)) {
          rowsByClass
              .computeIfAbsent(retentionClassOfType.apply(row.key().type()), k -> new ArrayList<>())
              .add(row);
        }
      }
      for (Map.Entry<String, List<Row>> rows : rowsByClass.entrySet()) {
        flush(hours.filesFor(state, rows.getKey()), rows.getValue(), segment);
      }
      hours.noteDiskBytes(state);
    }
  }

  private void flush(PageFiles files, List<Row> rows, long segment) throws IOException {
    Map<Row, List<PageMeta>> pagesByRow = new HashMap<>();
    List<PageMeta> all = new ArrayList<>();
    for (Row row : rows) {
      List<PageMeta> pages = putRow(files, row.key(), row.content(), segment);
      pagesByRow.put(row, pages);
      all.addAll(pages);
    }
    files.commit(all, List.of());
    for (Row row : rows) {
      List<PageRef> refs = refs(files, pagesByRow.getOrDefault(row, List.of()));
      row.update(content -> content.flushed(segment, refs));
    }
  }

  private List<PageMeta> putRow(PageFiles files, RowKey key, RowContent content, long segment)
      throws IOException {
    List<Columns> runs = new ArrayList<>();
    long group = 0;
    for (OpenRun run : content.open()) {
      if (run.segment() <= segment) {
        runs.add(run.columns());
        group = Math.max(group, run.group());
      }
    }
    return writer.put(files, key, Columns.merge(runs), group);
  }

  static List<PageRef> refs(PageFiles files, List<PageMeta> pages) {
    return pages.stream().map(page -> new PageRef(files, page)).toList();
  }
}
