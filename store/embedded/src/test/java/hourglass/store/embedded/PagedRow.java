package hourglass.store.embedded;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageWriter;
import hourglass.store.embedded.files.PagesOnDisk;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.PageRef;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowContent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A row on disk, of pages that a test cuts itself. */
final class PagedRow implements Closeable {
  private final PageWriter writer = new PageWriter(1);
  private final RowKey key;
  private final Hours hours;
  private final Row row;
  private final PageFiles files;
  private final HourPages pages;
  private long group;

  PagedRow(Path dir, RowKey key) throws IOException {
    this.key = key;
    files = PagesOnDisk.open(new SystemDisk(), dir);
    hours =
        new Hours(
            files,
            new MissingParts(List.of()),
            type -> StoreFiles.KEEP,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE);
    hours.withWritten(key.hour(), state -> state.row(key));
    row = hours.with(key.hour(), state -> state.row(key));
    pages =
        hours.with(
            key.hour(), state -> hours.byPages(state, List.of(row)).keySet().iterator().next());
  }

  /** Adds a page of a write of its own. */
  void put(Columns columns) throws IOException {
    group++;
    List<PageRef> refs;
    try (PageCommit commit = files.beginCommit()) {
      PageWriter.PageSeries series = writer.begin(commit.section(pages), false);
      refs =
          series.put(key, group, columns).stream().map(page -> new PageRef(pages, page)).toList();
      series.end();
      commit.commit();
    }
    row.update(content -> content.flushed(group, refs));
  }

  RowContent content() {
    return row.content();
  }

  @Override
  public void close() {
    hours.close();
    files.close();
  }
}
