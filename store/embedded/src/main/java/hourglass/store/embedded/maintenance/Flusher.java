package hourglass.store.embedded.maintenance;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.embedded.pages.PageFiles;
import hourglass.store.embedded.pages.PageMeta;
import hourglass.store.embedded.pages.PageWriter;
import hourglass.store.embedded.rows.Hours;
import hourglass.store.embedded.rows.LoadedHour;
import hourglass.store.embedded.rows.OpenRun;
import hourglass.store.embedded.rows.PageRef;
import hourglass.store.embedded.rows.Row;
import hourglass.store.embedded.rows.RowContent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Moves the columns of ended log segments into pages: writes them, forces them, lists them in the
 * inventory, and makes them visible. Only then may the log be cut. Not thread-safe.
 */
public final class Flusher {
  /** The rows that share one commit, whose list is one group. */
  private static final int ROWS_A_COMMIT = 8_192;

  private final Hours hours;
  private final PageWriter writer;
  private final Function<String, String> retentionClassOfType;
  private final CloseDeadline stop;

  public Flusher(
      Hours hours,
      PageWriter writer,
      Function<String, String> retentionClassOfType,
      CloseDeadline stop) {
    this.stop = stop;
    this.hours = hours;
    this.writer = writer;
    this.retentionClassOfType = retentionClassOfType;
  }

  /**
   * Flushes all columns of log segments up to one. A repeat after an exception, or after giving up,
   * skips finished work.
   *
   * @return whether all are flushed; false if the store closes and too many are left
   */
  public boolean flush(long segment) throws IOException {
    int left = hours.loaded().stream().mapToInt(state -> state.openRows()).sum();
    for (LoadedHour state : hours.loaded()) {
      if (state.openRows() == 0) {
        continue;
      }
      Map<String, List<Row>> rowsByClass = new HashMap<>();
      for (Row row : state.rows()) {
        if (row.content().hasOpenRuns(segment)) {
          rowsByClass
              .computeIfAbsent(retentionClassOfType.apply(row.key().type()), k -> new ArrayList<>())
              .add(row);
        }
      }
      for (Map.Entry<String, List<Row>> rows : rowsByClass.entrySet()) {
        PageFiles files = hours.filesFor(state, rows.getKey());
        for (List<Row> part : parts(rows.getValue())) {
          if (stop.isTooShortFor(left) || !flush(files, part, segment)) {
            return false;
          }
          left -= part.size();
        }
      }
      hours.noteDiskBytes(state);
    }
    return true;
  }

  private static List<List<Row>> parts(List<Row> rows) {
    List<List<Row>> parts = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += ROWS_A_COMMIT) {
      parts.add(rows.subList(from, Math.min(rows.size(), from + ROWS_A_COMMIT)));
    }
    return parts;
  }

  private boolean flush(PageFiles files, List<Row> rows, long segment) throws IOException {
    Map<Row, List<PageMeta>> pagesByRow = new HashMap<>();
    List<PageMeta> all = new ArrayList<>();
    for (Row row : rows) {
      if (stop.isOver()) {
        return false; // the pages are not listed, so they do not count
      }
      List<PageMeta> pages = putRow(files, row.key(), row.content(), segment);
      pagesByRow.put(row, pages);
      all.addAll(pages);
    }
    files.commit(all, List.of());
    for (Row row : rows) {
      List<PageRef> refs = refs(files, pagesByRow.getOrDefault(row, List.of()));
      row.update(content -> content.flushed(segment, refs));
    }
    return true;
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
