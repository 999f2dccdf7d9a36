package hourglass.store.embedded;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageWriter;
import hourglass.store.embedded.files.WrittenPages;
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
  private long group;

  PagedRow(Path dir, RowKey key) throws IOException {
    this.key = key;
    hours = TestStore.hours(dir);
    hours.withWritten(key.hour(), state -> state.row(key));
    row = hours.with(key.hour(), state -> state.row(key));
    files =
        hours.with(
            key.hour(), state -> hours.byFiles(state, List.of(row)).keySet().iterator().next());
  }

  /** Adds a page of a write of its own. */
  void put(Columns columns) throws IOException {
    group++;
    WrittenPages pages = writer.put(files, key, columns, group);
    files.commit(pages, List.of());
    List<PageRef> refs = pages.pages().stream().map(page -> new PageRef(files, page)).toList();
    row.update(content -> content.flushed(group, refs));
  }

  RowContent content() {
    return row.content();
  }

  @Override
  public void close() throws IOException {
    hours.close();
  }
}
