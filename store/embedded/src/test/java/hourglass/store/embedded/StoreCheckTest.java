package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.StoreCheck;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.PagesOnDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCheckTest {
  private final Random random = Chance.random("StoreCheckTest");
  private final List<Finding> findings = new ArrayList<>();
  private SampleStore sample;
  private Path dir;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void makeSample() throws IOException {
    sample = new SampleStore(random, temp.resolve("sample"));
    dir = temp.resolve("copy");
    sample.image.writeTo(dir);
  }

  private StoreCheck.Result check() {
    findings.clear();
    return StoreCheck.run(dir, findings::add);
  }

  @Test
  void aStoreThatDiedIsWholeAndStaysAsItIs() throws IOException {
    StoreCheck.Result result = check();
    assertThat(findings).isEmpty();
    assertThat(result.damages()).isZero();
    assertThat(result.events())
        .isEqualTo(sample.columns(0).values().stream().mapToLong(Map::size).sum());
    DirectoryImage now = DirectoryImage.of(dir);
    for (String file : sample.image.files()) {
      if (!file.equals("LOCK")) {
        assertThat(now.bytes(file)).as(file).isEqualTo(sample.image.bytes(file));
      }
    }
    assertThat(now.files()).isEqualTo(sample.image.files());
  }

  @Test
  void anyFlippedBitIsFound() throws IOException {
    for (String file : sample.image.files()) {
      if (!file.equals("LOCK") && !file.equals("VERSION")) {
        for (int i = 0; i < Chance.rounds(12, 100, 2_000); i++) {
          int offset = random.nextInt((int) sample.image.size(file));
          Damage damage = Damage.flip(file, offset, random.nextInt(8));
          damage.act().on(dir.resolve(file));
          assertThat(check().damages()).as("%s", damage).isPositive();
          assertThat(findings).as("%s", damage).anyMatch(each -> each.damage().contains(file));
          Files.write(dir.resolve(file), sample.image.bytes(file));
        }
      }
    }
    check();
    assertThat(findings).isEmpty();
  }

  @Test
  void aShorterPageFileIsFound() throws IOException {
    for (String file : pageFiles()) {
      Damage.cut(file, random.nextInt((int) sample.image.size(file))).act().on(dir.resolve(file));
      check();
      assertThat(findings).anyMatch(each -> each.damage().contains(file));
      Files.write(dir.resolve(file), sample.image.bytes(file));
    }
  }

  @Test
  void aLongerPageFileIsFound() throws IOException {
    String file = pageFiles().get(0);
    Files.write(dir.resolve(file), new byte[1], StandardOpenOption.APPEND);
    check();
    assertThat(findings).anyMatch(each -> each.damage().contains(file));
  }

  @Test
  void aDamagedPageIsReportedWithItsRowAndItsTimes() throws IOException {
    PageMeta page;
    try (PageFiles files = PagesOnDisk.open(new SystemDisk(), dir)) {
      ClassHour of = files.catalogue().hours().get(0);
      HourPages pages = PagesOnDisk.load(files, of.retentionClass(), of.hour(), Set.of());
      page = pages.pages().iterator().next();
    }
    String file = String.format("pages/%020d.pages", page.file());
    Damage.flip(file, page.position() + page.storedBytes() - 1, 3).act().on(dir.resolve(file));
    check();
    assertThat(findings).hasSize(1);
    Hour hour = page.row().hour();
    assertThat(findings.get(0).text())
        .startsWith(dir.resolve(file) + ": page " + page.number() + " of " + page.row())
        .contains("restore the file from a backup")
        .contains("; lost: %s events of %s from %s".formatted(page.count(), page.row(), hour));
  }

  @Test
  void aMissingPageFileIsReportedWithItsHours() throws IOException {
    String file = pageFiles().get(0);
    Files.delete(dir.resolve(file));
    check();
    assertThat(findings).singleElement().extracting(Finding::damage).asString().contains(file);
    assertThat(findings.get(0).lost()).contains("/" + TestStore.HOUR);
  }

  @Test
  void allDamagesAreReported() throws IOException {
    for (String file : List.of("log/segments", "arrivals/end", pageFiles().get(0))) {
      Damage.flip(file, 3, 2).act().on(dir.resolve(file));
    }
    check();
    assertThat(findings)
        .extracting(Finding::damage)
        .anyMatch(each -> each.contains("arrivals/end") || each.contains("log/segments"))
        .anyMatch(each -> each.contains(pageFiles().get(0)));
  }

  @Test
  void filesOfOthersAreReported() throws IOException {
    Files.writeString(dir.resolve("pages/notes.txt"), "remember the milk");
    check();
    assertThat(findings)
        .singleElement()
        .isEqualTo(
            new Finding(
                dir.resolve("pages/notes.txt") + ": no file of the store; move it away",
                Finding.NOTHING));
  }

  @Test
  void anOpenStoreIsRefused() {
    try (EmbeddedStore store = SampleStore.open(dir, new SystemDisk())) {
      assertThatThrownBy(this::check)
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("in use by process");
    }
  }

  @Test
  void anotherFolderIsRefused() {
    dir = temp;
    assertThatThrownBy(this::check)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("data directory");
  }

  private List<String> pageFiles() {
    return sample.image.files().stream().filter(file -> file.endsWith(".pages")).toList();
  }

  @Test
  void aFileThatAStartKeepsIsNoStranger() throws IOException {
    Files.writeString(dir.resolve("pages/kept"), "parts were missing\n");
    check();
    assertThat(findings).isEmpty();
  }
}
