package hourglass.store.embedded.files;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.embedded.FastTempDir;
import hourglass.store.embedded.RandomWrites;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageFileCheckTest {
  private static final Hour HOUR = RandomWrites.HOUR;

  private final List<Finding> findings = new ArrayList<>();
  private PageFiles files;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() throws IOException {
    files = PagesOnDisk.open(new SystemDisk(), temp);
  }

  @AfterEach
  void close() {
    files.close();
  }

  /** Puts a page of an hour into a commit. */
  private HourPages put(PageCommit commit, Hour hour) throws IOException {
    HourPages pages = PagesOnDisk.load(files, hour);
    RowKey row = new RowKey(hour, "checkout", 0);
    PageWriter writer = new PageWriter(hour.epochHours());
    PageWriter.PageSeries series = writer.begin(commit.section(pages), false);
    series.put(row, 1, columns(row, 0, 50).columns());
    series.end();
    return pages;
  }

  private void check() throws IOException {
    findings.clear();
    PageFileCheck.of(files, files.catalogue().content().files(), findings::add).check(1);
  }

  @Test
  void pagesOfAnHourThatWasLeftOutAreNoDamage() throws IOException {
    try (PageCommit commit = files.beginCommit()) {
      commit.leaveOut(put(commit, HOUR));
      put(commit, HOUR.next());
      commit.leaveOut(put(commit, HOUR.next().next()));
      commit.commit();
    }
    check();
    assertThat(findings).isEmpty();
  }

  @Test
  void otherBytesWithoutAChecksumAreDamage() throws IOException {
    try (PageCommit commit = files.beginCommit()) {
      put(commit, HOUR);
      commit.commit();
    }
    byte[] bytes = Files.readAllBytes(files.path(1));
    byte[] longer = new byte[bytes.length + 1];
    int foot = bytes.length - PageFileFormat.foot(PageFileFormat.read(files.path(1), 1)).limit();
    System.arraycopy(bytes, 0, longer, 0, foot);
    System.arraycopy(bytes, foot, longer, foot + 1, bytes.length - foot);
    Files.write(files.path(1), longer);
    check();
    assertThat(findings)
        .extracting(Finding::damage)
        .anyMatch(each -> each.contains("from offset %s to %s; it".formatted(foot, foot + 1)));
  }
}
