package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.PageWriter;
import hourglass.store.embedded.files.PagesOnDisk;
import hourglass.store.embedded.files.SectionCopy;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PageRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A read that begins at any moment of a merge finds all pages that it was given. */
class MergeDuringReadTest {
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final int COLUMNS = 10;

  private final PageWriter writer = new PageWriter(1);

  @TempDir(factory = FastTempDir.class)
  Path temp;

  /** The row still has the pages of the file that is replaced. */
  @Test
  void aReadBetweenTheCommitOfAMergeAndItsRowsKeepsTheReplacedFile() throws Exception {
    PageFiles files = PagesOnDisk.open(new SystemDisk(), temp);
    Hours hours =
        new Hours(
            files,
            new MissingParts(List.of()),
            type -> StoreFiles.KEEP,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE);
    hours.withWritten(HOUR, state -> state.row(ROW));
    HourPages pages = hours.with(HOUR, state -> write(files, hours, state));
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    CompletableFuture<Integer> read;
    try (PageCommit commit = files.beginCommit()) {
      Map<Long, PageMeta> copies =
          SectionCopy.of(pages, PagesOnDisk.ALL, (row, made) -> true).writeTo(commit);
      commit.commit();
      read = CompletableFuture.supplyAsync(() -> readLater(hours, begun, goOn));
      begun.await();
      hours.with(
          HOUR,
          state -> {
            state.row(ROW).update(content -> content.moved(pages, copies));
            return state;
          });
    }
    files.deleteUnused();
    assertThat(new StoreFiles(temp).pages(1)).exists();
    goOn.complete(null);
    assertThat(read.get()).isEqualTo(COLUMNS);
    files.deleteUnused();
    assertThat(new StoreFiles(temp).pages(1)).doesNotExist();
    hours.close();
    files.close();
  }

  private static int readLater(Hours hours, CountDownLatch begun, CompletableFuture<Void> goOn) {
    return hours.with(
        HOUR,
        state -> {
          List<PageRef> found = state.row(ROW).content().pages();
          begun.countDown();
          goOn.join();
          return found.stream().mapToInt(page -> page.load(Projection.COLUMNS).size()).sum();
        });
  }

  private HourPages write(PageFiles files, Hours hours, LoadedHour state) throws IOException {
    HourPages pages = hours.byPages(state, List.of(state.row(ROW))).keySet().iterator().next();
    try (PageCommit commit = files.beginCommit()) {
      PageWriter.PageSeries series = writer.begin(commit.section(pages), false);
      List<PageMeta> made = series.put(ROW, 1, columns(ROW, 0, COLUMNS).columns());
      series.end();
      commit.commit();
      List<PageRef> refs = made.stream().map(page -> new PageRef(pages, page)).toList();
      state.row(ROW).update(content -> content.flushed(1, refs));
    }
    return pages;
  }
}
