package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was forced is there when the catalogue is read again, also after operations that failed. */
@Timeout(120)
class CatalogueTest {
  private static final int HOURS = 3_000;

  private final Random random = Chance.random("CatalogueTest");
  private final FaultyDisk disk = new FaultyDisk();

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @Test
  void whatWasForcedIsThere() throws IOException {
    StoreFiles files = new StoreFiles(temp);
    Catalogue catalogue = new Catalogue(disk, files);
    catalogue.writeNew();
    catalogue.install();
    Map<String, HourFiles> expected = new TreeMap<>();
    CatalogueRecord.Log log = catalogue.log();
    long largest = 0;
    for (int round = 1; round < 60; round++) {
      for (int n = random.nextInt(HOURS); n > 0; n--) {
        HourFiles listed = hourFiles(round);
        catalogue.listed(listed);
        expected.put(listed.key(), listed);
      }
      int failing = random.nextInt(12);
      int[] operations = {0};
      disk.failing = operation -> failing < 8 && operations[0]++ == failing;
      CatalogueRecord.Log next = new CatalogueRecord.Log(round, round / 10, round);
      while (true) {
        try {
          catalogue.cutting(next);
          break;
        } catch (IOException e) {
          assertThat(disk.failing).isNotNull(); // once a round, then it is tried again
        }
      }
      log = next;
      disk.failing = operation -> false;
      if (!expected.isEmpty()) {
        HourFiles gone = expected.values().iterator().next();
        catalogue.gone(gone.retentionClass(), gone.hour());
        expected.remove(gone.key());
      }
      largest = Math.max(largest, Files.size(files.catalogue()));
      Catalogue read = Catalogue.load(disk, files);
      assertThat(read.hours()).isEqualTo(List.copyOf(expected.values()));
      assertThat(read.log()).isEqualTo(log);
      catalogue = random.nextInt(4) == 0 ? read : catalogue;
    }
    assertThat(Files.size(files.catalogue())).as("it was written anew").isLessThan(largest);
  }

  private HourFiles hourFiles(int round) {
    Hour hour = new Hour(RandomWrites.HOUR.epochHours() + random.nextInt(HOURS));
    String retentionClass = random.nextBoolean() ? StoreFiles.KEEP : "720h";
    return new HourFiles(
        retentionClass, hour, round, random.nextInt(1 << 20), Set.of(random.nextInt(3)));
  }
}
