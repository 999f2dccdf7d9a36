package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.column;
import static hourglass.store.testkit.StoreFixture.name;
import static hourglass.store.testkit.StoreFixture.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.store.CountQuery;
import hourglass.store.Limitation;
import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Marks show whether a row may have changed: a reader takes them before a slice, and its cache is
 * valid only under the same marks. A quiet row is sealed with a manifest under its marks. A late
 * write breaks the seal.
 */
interface SealContract extends StoreFixture {

  @Test
  default void marksChangeWithEveryWriteThatChangesAnAnswer() {
    Set<List<RowEntry.Mark>> seen = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      store().write(ROW, column(i, "new column"));
      assertThat(seen.add(store().entry(ROW).marks())).as("marks are new, %d", i).isTrue();
    }
    store().write(ROW, column(0, "of a larger payload"));
    assertThat(seen.add(store().entry(ROW).marks())).as("marks are new").isTrue();
  }

  @Test
  default void marksStayEqualWithoutWrites() {
    store().write(ROW, seconds(0, 10));
    List<RowEntry.Mark> marks = store().entry(ROW).marks();
    assertThat(store().read(ROW)).hasSize(10);
    store().write(new RowKey(HOUR, "search", 0), seconds(0, 10));
    assertThat(store().entry(ROW).marks()).isEqualTo(marks);
  }

  @Test
  default void marksOfADroppedRowNeverRepeat() {
    Set<List<RowEntry.Mark>> seen = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      store().write(ROW, seconds(i, i + 1));
      assertThat(seen.add(store().entry(ROW).marks())).as("marks are new, %d", i).isTrue();
      store().drop(HOUR);
    }
  }

  @Test
  default void marksNeverRepeatAfterAReopen() {
    Set<List<RowEntry.Mark>> seen = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      store().write(ROW, seconds(i, i + 1));
      boolean fresh = seen.add(store().entry(ROW).marks());
      assertThat(fresh || !can(Limitation.FORGETS_ON_CLOSE)).as("marks are new, %d", i).isTrue();
      reopen();
    }
  }

  @Test
  default void aRowIsNotSealedWhileItIsWritten() {
    store().write(ROW, seconds(0, 10));
    assertThat(store().entry(ROW).sealed()).isFalse();
  }

  @Test
  default void aManifestIsExact() {
    store().write(ROW, seconds(0, 100));
    store().write(ROW, seconds(50, 150));
    store().write(ROW, column(7, "a larger payload than before"), column(3599, ""));
    store().write(ROW, column(8, "a larger payload of an event, but shorter"), column(8, "z"));
    if (!sealsRows()) {
      return;
    }
    RowEntry entry = store().entry(ROW);
    Manifest manifest = manifest(ROW);
    List<Column> columns = store().read(ROW);
    assertThat(entry.sealed()).isTrue();
    assertThat(manifest.marks()).isEqualTo(entry.marks());
    assertThat(manifest.columns()).isEqualTo(151).isEqualTo(columns.size());
    assertThat(manifest.bytes())
        .isEqualTo(columns.stream().mapToLong(column -> column.payload().length()).sum());
    assertThat(manifest.first()).isEqualTo(entry.first()).isEqualTo(name(0));
    assertThat(manifest.last()).isEqualTo(entry.last()).isEqualTo(name(3599));
    int[] columnsByMinute = new int[60];
    columnsByMinute[0] = 60;
    columnsByMinute[1] = 60;
    columnsByMinute[2] = 30;
    columnsByMinute[59] = 1;
    assertThat(manifest.columnsByMinute()).isEqualTo(columnsByMinute);
  }

  @Test
  default void anEntryOfASealedRowIsExact() {
    store().write(ROW, seconds(0, 10));
    store().write(ROW, seconds(0, 10));
    if (!sealsRows()) {
      return;
    }
    RowEntry entry = store().entry(ROW);
    assertThat(entry.columns()).isEqualTo(10);
    assertThat(entry.bytes()).isEqualTo(store().count(CountQuery.all(ROW)).bytes());
  }

  @Test
  default void aDigestIdentifiesNamesAndPayloads() {
    RowKey same = new RowKey(HOUR, "same", 0);
    RowKey otherPayload = new RowKey(HOUR, "other payload", 0);
    RowKey otherName = new RowKey(HOUR, "other name", 0);
    store().write(ROW, seconds(0, 10));
    store().write(same, seconds(5, 10));
    store().write(same, seconds(0, 7));
    store().write(otherPayload, seconds(0, 9));
    store().write(otherPayload, column(9, "event X"));
    store().write(otherName, seconds(0, 9));
    store().write(otherName, new Column(name(9).successor(), "event 9"));
    if (!sealsRows()) {
      return;
    }
    long digest = manifest(ROW).digest();
    assertThat(manifest(same).digest()).isEqualTo(digest);
    assertThat(manifest(otherPayload).digest()).isNotEqualTo(digest);
    assertThat(manifest(otherName).digest()).isNotEqualTo(digest);
  }

  @Test
  default void sealingChangesNoAnswer() {
    store().write(ROW, seconds(0, 60));
    store().write(ROW, seconds(30, 90));
    if (!sealsRows()) {
      return;
    }
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 90));
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(90);
  }

  @Test
  default void aLateWriteBreaksTheSealAndIsSeen() {
    store().write(ROW, seconds(0, 10));
    if (!sealsRows()) {
      return;
    }
    store().write(ROW, seconds(5, 11));
    assertThat(store().entry(ROW).sealed()).isFalse();
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 11));
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(11);

    sealNow();
    assertThat(store().entry(ROW).sealed()).isTrue();
    assertThat(manifest(ROW).columns()).isEqualTo(11);
  }

  @Test
  default void aLargerPayloadBreaksTheSeal() {
    store().write(ROW, column(1, "a"));
    if (!sealsRows()) {
      return;
    }
    store().write(ROW, column(1, "b"));
    assertThat(store().entry(ROW).sealed()).isFalse();
    assertThat(store().read(ROW)).containsExactly(column(1, "b"));
  }

  @Test
  default void aSealedRowIsTheSameAfterAReopen() {
    store().write(ROW, seconds(0, 10));
    if (!sealsRows() || !can(Limitation.FORGETS_ON_CLOSE)) {
      return;
    }
    Manifest before = manifest(ROW);
    reopen();
    sealNow();
    assertThat(manifest(ROW).digest()).isEqualTo(before.digest());
    assertThat(manifest(ROW).columns()).isEqualTo(10);
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 10));
  }

  private Manifest manifest(RowKey row) {
    Manifest manifest = store().entry(row).manifest();
    if (manifest == null) {
      return Assertions.fail("no manifest of %s", row);
    }
    return manifest;
  }

  private boolean sealsRows() {
    if (can(Limitation.NEVER_SEALS)) {
      sealNow();
      return true;
    }
    assertThat(store().rows(HOUR)).isNotEmpty().allMatch(entry -> entry.manifest() == null);
    return false;
  }
}
