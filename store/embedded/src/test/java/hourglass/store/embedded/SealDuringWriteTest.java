package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import hourglass.bucketing.RowKey;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.PageWriter;
import hourglass.store.embedded.files.PagesOnDisk;
import hourglass.store.embedded.maintenance.CloseDeadline;
import hourglass.store.embedded.maintenance.Compactor;
import hourglass.store.embedded.maintenance.RetentionClock;
import hourglass.store.embedded.maintenance.RowSealer;
import hourglass.store.embedded.maintenance.SectionMerger;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PageRef;
import hourglass.store.embedded.memory.Row;
import hourglass.store.rows.RowPartsReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log shows a group mutation by mutation, and a seal may read the row in between. */
class SealDuringWriteTest {
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final long GROUP = 7;

  private final PageWriter writer = new PageWriter(1);
  private final RowPartsReader reader = new RowPartsReader(1 << 20);

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @Test
  void aGroupBeingWrittenIsNotSealed() throws IOException {
    AtomicReference<Runnable> onSeal = new AtomicReference<>(() -> {});
    PageFiles files = PagesOnDisk.open(new SystemDisk(), temp);
    Hours hours =
        new Hours(
            files,
            new MissingParts(List.of()),
            type -> {
              onSeal.get().run();
              return StoreFiles.KEEP;
            },
            Integer.MAX_VALUE,
            Integer.MAX_VALUE);
    hours.withWritten(HOUR, state -> state.row(ROW));
    hours.with(HOUR, state -> write(files, hours, state));
    onSeal.set(() -> hours.show(columns(ROW, 10, 20), 1, GROUP, 0, SharedRoom.NOBODY));

    sealer(hours, files).pass();
    onSeal.set(() -> {});
    hours.show(columns(ROW, 20, 25), 1, GROUP, 0, SharedRoom.NOBODY);

    assertThat(row(hours).content().isSealed()).isFalse();
    assertThat(row(hours).entry().columns()).isEqualTo(25);
    hours.close();
    files.close();
  }

  private static Row row(Hours hours) {
    return hours.with(HOUR, state -> state.row(ROW));
  }

  private HourPages write(PageFiles files, Hours hours, LoadedHour state) throws IOException {
    HourPages pages = hours.byPages(state, List.of(state.row(ROW))).keySet().iterator().next();
    try (PageCommit commit = files.beginCommit()) {
      PageWriter.PageSeries series = writer.begin(commit.section(pages), false);
      List<PageMeta> made = series.put(ROW, GROUP - 1, columns(ROW, 0, 10).columns());
      series.end();
      commit.commit();
      List<PageRef> refs = made.stream().map(page -> new PageRef(pages, page)).toList();
      state.row(ROW).update(content -> content.flushed(1, refs));
    }
    return pages;
  }

  private RowSealer sealer(Hours hours, PageFiles files) throws IOException {
    Clock clock = Clock.fixed(HOUR.end().plus(Duration.ofDays(1)), ZoneOffset.UTC);
    CloseDeadline deadline = new CloseDeadline();
    SpaceGuard space = new SpaceGuard(new SystemDisk(), temp, 0L);
    SectionMerger merger =
        new SectionMerger(hours, files, space, new RetentionClock(clock, clock::millis), deadline);
    return new RowSealer(
        hours,
        files,
        reader,
        new Compactor(writer, reader),
        merger,
        space,
        clock,
        Duration.ZERO,
        deadline);
  }
}
