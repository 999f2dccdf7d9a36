package hourglass.store.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.Chance;
import hourglass.store.embedded.FastTempDir;
import hourglass.store.embedded.FaultyDisk;
import hourglass.store.embedded.RandomWrites;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forced entries are there when the catalogue is read again, also after failed operations. */
class CatalogueTest {
  private static final int HOURS = 3_000;

  private final Random random = Chance.random("CatalogueTest");
  private final FaultyDisk disk = new FaultyDisk();

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @Test
  void forcedEntriesSurviveAPowerLoss() throws IOException {
    StoreFiles files = new StoreFiles(temp);
    StoreCatalogue catalogue = new StoreCatalogue(disk, files);
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
      StoreCatalogue read = StoreCatalogue.load(disk, files);
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

  private StoreCatalogue installed() throws IOException {
    StoreCatalogue catalogue = new StoreCatalogue(disk, new StoreFiles(temp));
    catalogue.writeNew();
    catalogue.install();
    return catalogue;
  }

  private static HourFiles withMaps(int hour, int groups, int maps) {
    return new HourFiles(
        StoreFiles.KEEP,
        new Hour(RandomWrites.HOUR.epochHours() + hour),
        groups,
        groups,
        IntStream.range(0, maps).boxed().collect(Collectors.toSet()));
  }

  /** Lists all hours so often that the file has to be written anew. */
  private static void listMuch(StoreCatalogue catalogue) throws IOException {
    for (int groups = 1; groups < 30; groups++) {
      for (int hour = 0; hour < HOURS; hour++) {
        catalogue.listed(withMaps(hour, groups, 1));
      }
      catalogue.force();
    }
  }

  @Test
  void aFailedRewriteKeepsTheCatalogue() throws IOException {
    StoreCatalogue catalogue = installed();
    StoreFiles files = new StoreFiles(temp);
    disk.failing = operation -> operation.equals("write CATALOGUE.new");
    listMuch(catalogue);
    long bytes = Files.size(files.catalogue());
    assertThat(files.newCatalogue()).exists();
    assertThat(StoreCatalogue.load(disk, files).hours()).isEqualTo(catalogue.hours());
    disk.failing = operation -> false;
    catalogue.listed(withMaps(HOURS, 1, 1));
    catalogue.force();
    assertThat(Files.size(files.catalogue())).isLessThan(bytes / 2);
    assertThat(StoreCatalogue.load(disk, files).hours()).hasSize(HOURS + 1);
  }

  /** An hour's entry may be far larger than most are. */
  @Test
  void hoursWithManyMapsAreRewrittenRarely() throws IOException {
    StoreCatalogue catalogue = installed();
    for (int hour = 0; hour < 700; hour++) {
      catalogue.listed(withMaps(hour, 1, 500));
    }
    catalogue.force();
    AtomicInteger rewrites = new AtomicInteger();
    disk.failing =
        operation -> {
          rewrites.addAndGet(operation.equals("create CATALOGUE.new") ? 1 : 0);
          return false;
        };
    for (int hour = 0; hour < 10; hour++) {
      catalogue.listed(withMaps(hour, 2, 1));
      catalogue.force();
    }
    assertThat(Files.size(new StoreFiles(temp).catalogue())).isGreaterThan(1 << 20);
    assertThat(rewrites).hasValueLessThan(2);
  }

  @Test
  void lookupsDoNotWaitForAForce() throws Exception {
    StoreCatalogue catalogue = installed();
    catalogue.listed(withMaps(0, 7, 1));
    catalogue.force();
    CountDownLatch forcing = new CountDownLatch(1);
    CountDownLatch lookedUp = new CountDownLatch(1);
    disk.failing =
        operation -> {
          if (operation.equals("force CATALOGUE")) {
            forcing.countDown();
            Uninterrupted.await(
                () -> lookedUp.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS));
          }
          return false;
        };
    catalogue.listed(withMaps(1, 1, 1));
    CompletableFuture<Void> force =
        CompletableFuture.runAsync(
            () -> {
              try {
                catalogue.force();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    forcing.await();
    long groups = catalogue.groups(StoreFiles.KEEP, RandomWrites.HOUR);
    boolean wasForcing = !force.isDone();
    lookedUp.countDown();
    force.get();
    assertThat(groups).isEqualTo(7);
    assertThat(wasForcing).as("the look-up did not wait for the disk").isTrue();
  }
}
