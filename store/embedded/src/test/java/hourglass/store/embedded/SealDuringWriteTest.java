package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import hourglass.bucketing.RowKey;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageWriter;
import hourglass.store.embedded.files.WrittenPages;
import hourglass.store.embedded.maintenance.CloseDeadline;
import hourglass.store.embedded.maintenance.Compactor;
import hourglass.store.embedded.maintenance.RowSealer;
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
    Hours hours =
        TestStore.hours(
            temp,
            type -> {
              onSeal.get().run();
              return StoreFiles.KEEP;
            },
            Integer.MAX_VALUE,
            Integer.MAX_VALUE);
    hours.withWritten(HOUR, state -> state.row(ROW));
    hours.with(HOUR, state -> write(hours, state));
    onSeal.set(() -> hours.show(columns(ROW, 10, 20), 1, GROUP, 0, SharedRoom.NOBODY));

    sealer(hours).pass();
    onSeal.set(() -> {});
    hours.show(columns(ROW, 20, 25), 1, GROUP, 0, SharedRoom.NOBODY);

    assertThat(row(hours).content().isSealed()).isFalse();
    assertThat(row(hours).entry().columns()).isEqualTo(25);
    hours.close();
  }

  private static Row row(Hours hours) {
    return hours.with(HOUR, state -> state.row(ROW));
  }

  private PageFiles write(Hours hours, LoadedHour state) throws IOException {
    PageFiles files = hours.byFiles(state, List.of(state.row(ROW))).keySet().iterator().next();
    WrittenPages pages = writer.put(files, ROW, columns(ROW, 0, 10).columns(), GROUP - 1);
    files.commit(pages, List.of());
    List<PageRef> refs = pages.pages().stream().map(page -> new PageRef(files, page)).toList();
    state.row(ROW).update(content -> content.flushed(1, refs));
    return files;
  }

  private RowSealer sealer(Hours hours) {
    CloseDeadline deadline = new CloseDeadline();
    Clock clock = Clock.fixed(HOUR.end().plus(Duration.ofDays(1)), ZoneOffset.UTC);
    Compactor compactor = new Compactor(writer, reader, deadline);
    return new RowSealer(hours, reader, compactor, clock, Duration.ZERO, deadline);
  }
}
