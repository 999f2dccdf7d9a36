package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Retention;
import hourglass.store.RowEntry;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.SystemDisk;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The directory of a running store is copied file by file, in any order, while it writes. A copy
 * that opens has everything that was acknowledged before the copy began; or it lacks only what came
 * last, as if the power had been cut earlier. Any other copy is refused.
 */
@Timeout(600)
class RunningCopyTest {
  private final Random random = Chance.random("RunningCopyTest");
  private TestStore store;

  /** How many columns each write had; its payloads say its number. */
  private final List<Integer> written = new ArrayList<>();

  private int opened;
  private final List<String> refusals = new ArrayList<>();

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @Test
  void aCopyOfARunningStoreIsConsistentOrRefused() throws IOException {
    int stores = Chance.rounds(1, 4, 40);
    for (int i = 0; i < stores; i++) {
      written.clear();
      Path folder = Files.createDirectory(temp.resolve("store" + i));
      Map<String, Duration> byType = Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30));
      store =
          new TestStore(
              folder,
              options ->
                  options
                      .sealAfter(Duration.ZERO)
                      .retention(Retention.of(Retention.FOREVER, byType)));
      store.clock.set(TestStore.HOUR.end().plus(Duration.ofDays(1)));
      try {
        for (int copy = 0; copy < 16; copy++) {
          for (int n = random.nextInt(6); n >= 0; n--) {
            operate(true);
          }
          int before = written.size();
          Path to = folder.resolve("copy" + copy);
          copy(to);
          check(to, before);
          TestStore.delete(to);
        }
      } finally {
        store.close();
      }
      TestStore.delete(folder);
    }
    assertThat(opened).as("copies that open, beside %s", refusals).isPositive();
    assertThat(refusals).as("copies that are refused").isNotEmpty();
  }

  private void operate(boolean flushes) {
    int dice = flushes ? random.nextInt(10) : 0;
    if (dice < 6) {
      write();
    } else if (dice < 9) {
      store.flush();
    } else {
      store.seal();
    }
  }

  private void write() {
    int number = written.size();
    byte[] payload = ("write " + number).getBytes(StandardCharsets.UTF_8);
    List<Mutation> mutations = new ArrayList<>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      RowKey row =
          new RowKey(
              new Hour(TestStore.HOUR.epochHours() + random.nextInt(3)),
              random.nextBoolean() ? "click" : RandomWrites.SHORT_LIVED,
              i);
      mutations.add(NumberedColumns.columns(row, number, number + 1, n -> payload));
    }
    Expectation.await(store.engine().write(mutations));
    written.add(mutations.size());
  }

  /** Copies like {@code cp -r}, but in any order, with the store at work between any two steps. */
  private void copy(Path to) throws IOException {
    Path from = store.files().dir();
    int pace = 1 + random.nextInt(6);
    List<Path> due = new ArrayList<>(List.of(from));
    while (!due.isEmpty()) {
      Path path = due.remove(random.nextInt(due.size()));
      Path copy = to.resolve(from.relativize(path).toString());
      if (Files.isDirectory(path)) {
        Files.createDirectories(copy);
        try (Stream<Path> below = Files.list(path)) {
          below.sorted().forEach(due::add);
        }
      } else {
        try {
          Files.copy(path, copy);
        } catch (NoSuchFileException e) {
          Files.deleteIfExists(copy); // it is gone since it was listed
        }
      }
      if (random.nextInt(pace) == 0) {
        operate(random.nextInt(pace) == 0);
      }
    }
  }

  private void check(Path copy, int before) {
    TestStore original = store;
    int[] found;
    EmbeddedOptions options =
        EmbeddedOptions.builder(copy)
            .reserveBytes(0L)
            .segmentBytes(1 << 20)
            .sealAfter(Duration.ofDays(1000))
            .retention(
                Retention.of(
                    Retention.FOREVER, Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30))))
            .build();
    try (EmbeddedStore opening =
        EmbeddedStore.open(
            options,
            original.clock,
            original.clock::millis,
            new SimpleMeterRegistry(),
            new SystemDisk())) {
      found = found(opening);
      assertThat(opening.missing(Hour.FIRST, Hour.LAST)).isEmpty();
    } catch (CorruptException | UnavailableException e) {
      assertThat(e.getMessage()).contains(copy.toString());
      refusals.add(e.getMessage());
      return;
    }
    opened++;
    int first = 0;
    while (first < before && found[first] == written.get(first)) {
      first++;
    }
    if (first < before) {
      assertThat(Arrays.stream(found, first, found.length).sum())
          .as("columns behind write %s, of which some are missing, of %s before", first, before)
          .isZero();
    }
  }

  /** How many columns of each write are there. */
  private int[] found(EmbeddedStore store) {
    int[] found = new int[written.size()];
    for (Hour hour : Expectation.await(store.hours(Hour.FIRST, Hour.LAST))) {
      for (RowEntry row : Expectation.await(store.rows(hour))) {
        for (Columns columns : Expectation.read(store, row.row(), Order.ASCENDING)) {
          for (int i = 0; i < columns.size(); i++) {
            String payload = new String(columns.payload(i), StandardCharsets.UTF_8);
            found[Integer.parseInt(payload.substring("write ".length()))]++;
          }
        }
      }
    }
    return found;
  }
}
