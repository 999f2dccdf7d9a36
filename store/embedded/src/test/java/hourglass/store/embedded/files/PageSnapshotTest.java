package hourglass.store.embedded.files;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.embedded.FastTempDir;
import hourglass.store.embedded.RandomWrites;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageSnapshotTest {
  @TempDir(factory = FastTempDir.class)
  Path temp;

  /** A backup reads beside a store, which has many files open too. */
  @Test
  void fewFilesAreOpenAtATime() throws IOException {
    try (PageFiles files = PagesOnDisk.open(new SystemDisk(), temp)) {
      PageWriter writer = new PageWriter(1);
      for (int i = 0; i < 100; i++) {
        Hour hour = new Hour(RandomWrites.HOUR.epochHours() + i);
        try (PageCommit commit = files.beginCommit()) {
          PageWriter.PageSeries series =
              writer.begin(commit.section(PagesOnDisk.load(files, hour)), false);
          series.put(
              new RowKey(hour, "a", 0), 1, columns(new RowKey(hour, "a", 0), 0, 5).columns());
          series.end();
          commit.commit();
        }
      }
      try (PageSnapshot snapshot = PageSnapshot.of(files.catalogue().content(), files::path)) {
        for (ClassHour of : snapshot.hours()) {
          HourPages pages = new HourPages(snapshot, of);
          pages.load(Set.of(), (row, manifest) -> {});
          assertThat(pages.pages()).hasSize(1);
        }
        assertThat(snapshot.openFiles()).isEqualTo(64);
      }
    }
  }
}
