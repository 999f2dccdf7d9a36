package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.Retention;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.BackupCheck;
import hourglass.store.embedded.backup.Losses;
import hourglass.store.embedded.backup.Prune;
import hourglass.store.embedded.backup.Restore;
import hourglass.store.embedded.backup.StoreRepair;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.PageMeta;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Losses and the bytes of damaged pages stay as long as their events would, and no longer. */
class LostPagesTest extends RepairTests {
  private static final RowKey OTHER = new RowKey(HOUR, "other", 0);

  /** Writes two rows, and takes the page of the first one out of use. Returns that page. */
  private PageMeta lose() throws IOException {
    store.write(columns(ROW, 0, 100), columns(OTHER, 0, 100));
    store.flush();
    PageMeta page = damage(ROW);
    assertThat(repair(new SystemDisk()).events()).isEqualTo(100);
    store.reopen();
    return page;
  }

  private void drop(RowKey row) {
    Expectation.await(store.engine().drop(new TypeHour(row.hour(), row.type())));
  }

  @Test
  void theRetentionOfAnotherTypeEndsNoLoss() throws IOException {
    store.write(columns(ROW, 0, 100));
    store.flush();
    damage(ROW);
    repair(new SystemDisk());
    store.reopen();
    store.clock.pass(Duration.ofDays(31));
    store.retain();
    assertThat(missing(HOUR)).singleElement().asString().contains("100 events of " + ROW);
    assertThat(store.files().aside()).isNotEmptyDirectory();
  }

  @Test
  void aShorterRetentionEndsTheLossesOfItsType() throws IOException {
    lose();
    retention = Retention.of(Retention.FOREVER, Map.of(ROW.type(), Duration.ofDays(1)));
    store.reopen();
    store.retain();
    assertThat(missing(HOUR)).isEmpty();
    assertThat(store.files().aside()).isEmptyDirectory();
    assertThat(events(OTHER)).isEqualTo(100);
    store.reopen();
    assertThat(missing(HOUR)).isEmpty();
  }

  @Test
  void aDropOfATypeDeletesItsDamagedPages() throws IOException {
    lose();
    drop(OTHER);
    assertThat(missing(HOUR)).hasSize(1);
    assertThat(store.files().aside()).isNotEmptyDirectory();
    drop(ROW);
    assertThat(store.files().aside()).isEmptyDirectory();
    assertThat(missing(HOUR)).isEmpty();
    store.write(columns(ROW, 0, 10));
    store.seal();
    store.reopen();
    assertThat(missing(HOUR)).isEmpty();
    assertThat(store.manifest(ROW).columns()).isEqualTo(10);
  }

  @Test
  void aDropOfATypeDeletesTheDamagedPagesOfARowThatHasOthers() throws IOException {
    store.write(columns(ROW, 0, 100), columns(OTHER, 0, 100));
    store.flush();
    store.write(columns(ROW, 100, 200));
    store.flush();
    damage(ROW);
    repair(new SystemDisk());
    store.reopen();
    assertThat(events(ROW)).isPositive();
    drop(ROW);
    assertThat(store.files().aside()).isEmptyDirectory();
    assertThat(missing(HOUR)).isEmpty();
    assertThat(events(OTHER)).isEqualTo(100);
  }

  @Test
  void bytesThatCannotBeDeletedAtOnceGoWithTheNextPass() throws IOException {
    lose();
    store.disk.failing = operation -> operation.equals("delete N.page");
    drop(ROW);
    assertThat(missing(HOUR)).isEmpty();
    assertThat(store.files().aside()).isNotEmptyDirectory();
    store.disk.failing = operation -> false;
    store.retain();
    assertThat(store.files().aside()).isEmptyDirectory();
  }

  @Test
  void aNewCatalogueKeepsTheBytesOfDamagedPages() throws IOException {
    PageMeta page = lose();
    byte[] bytes = Files.readAllBytes(store.files().asidePage(page.number()));
    store.close();
    Files.delete(store.files().catalogue());
    store.missing = List.of(StoreFiles.CATALOGUE);
    store.reopen();
    store.retain();
    store.missing = List.of();
    store.reopen();
    store.engine().drop(HOUR).toCompletableFuture().join();
    store.close();
    assertKept(bytes);
    assertThat(check().damages()).isZero();
  }

  /** It lists the damaged file, which the repair deleted, and not the loss. */
  @Test
  void anOlderCatalogueKeepsTheBytesOfDamagedPages() throws IOException {
    store.write(columns(ROW, 0, 100), columns(OTHER, 0, 100));
    store.flush();
    PageMeta page = damage(ROW);
    store.close();
    Path older = temp.resolve("older");
    Files.copy(store.files().catalogue(), older);
    repair(new SystemDisk());
    byte[] bytes = Files.readAllBytes(store.files().asidePage(page.number()));
    Files.copy(older, store.files().catalogue(), StandardCopyOption.REPLACE_EXISTING);
    repair(new SystemDisk());
    store.missing = List.of(dir().relativize(store.files().pages(page.file())).toString());
    store.reopen();
    store.retain();
    assertKept(bytes);
  }

  private void assertKept(byte[] bytes) {
    assertThat(store.files().aside())
        .isDirectoryContaining(
            file -> {
              try {
                return Arrays.equals(Files.readAllBytes(file), bytes);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  /** The loss was noted, and then the repair failed. */
  @Test
  void aRestoredFileEndsTheLossOfItsPagesAtTheNextRepair() throws IOException {
    store.write(columns(ROW, 0, 100), columns(OTHER, 0, 100));
    store.flush();
    Path file = store.files().pages(1);
    byte[] good = Files.readAllBytes(file);
    damage(ROW);
    AtomicInteger moves = new AtomicInteger();
    FaultyDisk disk = new FaultyDisk();
    disk.failing = operation -> operation.equals("move unfinished") && moves.incrementAndGet() == 2;
    assertThatThrownBy(() -> repair(disk)).isInstanceOf(UnavailableException.class);
    Files.write(file, good);
    store.reopen();
    assertThat(events(ROW)).isEqualTo(100);
    assertThat(missing(HOUR)).hasSize(1);
    assertThat(repair(new SystemDisk())).isEqualTo(new StoreRepair.Result(0, 0));
    assertThat(store.files().aside()).isEmptyDirectory();
    assertThat(check().lost()).isZero();
    store.reopen();
    assertThat(missing(HOUR)).isEmpty();
    store.check();
  }

  @Test
  void aPointAfterARepairIsNotWholeAndSaysWhatItLacks() throws IOException {
    store.write(columns(ROW, 0, 100), columns(NEXT, 0, 100));
    store.flush();
    String good = backup().id();
    damage(ROW);
    repair(new SystemDisk());
    store.reopen();
    String lacking = backup().id();
    Losses losses = new Losses(1, 100);
    assertThat(BackupCheck.list(backup))
        .extracting(BackupCheck.Summary::isWhole, BackupCheck.Summary::losses)
        .containsExactly(tuple(true, Losses.NONE), tuple(false, losses));
    assertThat(verify().losses()).containsExactly(Map.entry(lacking, losses));
    assertThat(verify().damages()).isZero();
    assertThat(Prune.run(backup, store.clock.instant().plusSeconds(1), new SystemDisk()).points())
        .isEmpty();
    Restore.Result found = restore(null);
    assertThat(found.losses()).isEqualTo(losses);
    assertThat(found.damages()).isZero();
    restored = temp.resolve("next");
    assertThat(restore(lacking, NEXT.hour(), NEXT.hour()).losses()).isEqualTo(Losses.NONE);
    restored = temp.resolve("good");
    assertThat(restore(good).losses()).isEqualTo(Losses.NONE);
    store.engine().drop(HOUR).toCompletableFuture().join();
    backup();
    assertThat(Prune.run(backup, store.clock.instant().plusSeconds(1), new SystemDisk()).points())
        .containsExactly(good, lacking);
  }
}
