package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import hourglass.store.embedded.disk.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random writes, several at once, in time, late, and repeated in any shard; flushed, sealed,
 * dropped and killed between them, by a clock that is set back now and then. A column is noted if
 * it was late when it first came, or behind what a reader was told, and never else.
 */
@Timeout(600)
class LateColumnsTest {
  private static final Hour HOUR = TestStore.HOUR;
  private static final List<String> TYPES = List.of("click", "view");
  private static final long SETTLE_TICKS = 2 * Ticks.PER_SECOND;

  private final Random random = Chance.random("LateColumnsTest");
  private final Set<LateArrivalReader> there = new HashSet<>();
  private final List<LateArrivalReader> noted = new ArrayList<>();
  private int inTime;

  /** The settled ticks that readers were told. */
  private long toldTicks;

  private long markTicks;
  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @Test
  void onlyLateColumnsAreNotedAndEachOnce() throws IOException {
    try (TestStore opened =
        new TestStore(
            temp, options -> options.sealAfter(Duration.ZERO).settle(Duration.ofSeconds(2)))) {
      store = opened;
      for (int i = 0; i < Chance.rounds(150, 400, 8_000); i++) {
        step(random.nextInt(100));
        if (i % 20 == 0) {
          check();
        }
      }
      check();
      store.flush();
      assertThat(store.openBytes()).as("memory of notes that are in files").isZero();
      check();
      assertThat(noted).isNotEmpty();
      assertThat(inTime).isPositive();
    }
  }

  private void step(int dice) throws IOException {
    if (dice < 75) {
      writeSome(1 + random.nextInt(4));
    } else if (dice < 76) {
      store.clock.pass(Duration.ofMillis(-random.nextInt(20_000)));
    } else if (dice < 85) {
      store.clock.set(store.clock.instant().plusMillis(random.nextInt(60_000)));
    } else if (dice < 91) {
      store.flush();
    } else if (dice < 94) {
      store.seal();
    } else if (dice < 96) {
      store.kill();
      mark();
    } else if (dice < 98) {
      store.reopen();
    } else {
      Hour hour = hour();
      Expectation.await(store.engine().drop(hour));
      there.removeIf(column -> column.name().hour().equals(hour));
    }
  }

  /** After a kill the place of readers is unknown: columns ahead of them may be late too. */
  private void mark() throws IOException {
    Watermark mark = Watermark.read(store.files().settled());
    markTicks = mark == null ? 0 : mark.last();
    assertThat(markTicks).isBetween(toldTicks, toldTicks + Ticks.PER_SECOND);
  }

  private Hour hour() {
    return new Hour(HOUR.epochHours() - random.nextInt(2));
  }

  private void writeSome(int writes) {
    List<CompletableFuture<Void>> flying = new ArrayList<>();
    Set<LateArrivalReader> sent = new TreeSet<>();
    for (int write = 0; write < writes; write++) {
      List<Mutation> mutations = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        mutations.add(mutation());
      }
      mutations.forEach(mutation -> sent.addAll(LateArrivalReader.of(mutation)));
      flying.add(store.engine().write(mutations).toCompletableFuture());
    }
    flying.forEach(Expectation::await);
    long settledTicks =
        Math.max(Ticks.of(store.clock.instant()) - SETTLE_TICKS, Math.max(toldTicks, markTicks));
    for (LateArrivalReader column : sent) {
      boolean isLate = column.name().ticks() < settledTicks;
      if (there.add(column)) {
        inTime += isLate ? 0 : 1;
        noted.addAll(isLate ? List.of(column) : List.of());
      }
    }
  }

  /** A stretch of an hour, with holes, few or many columns; also such as come in time. */
  private Mutation mutation() {
    RowKey row = new RowKey(hour(), TYPES.get(random.nextInt(2)), random.nextInt(3));
    boolean isNew = random.nextBoolean();
    long nowMillis = store.clock.millis() - row.hour().start().toEpochMilli();
    int last = (int) Math.min(nowMillis / 10, 359_000);
    int from = isNew ? Math.max(0, last - random.nextInt(600)) : random.nextInt(last);
    return NumberedColumns.columns(
        row, from, from + 1 + random.nextInt(random.nextInt(8) == 0 ? 900 : 20));
  }

  private void check() {
    LateArrivalPlace newest = LateArrivalPlace.NEWEST;
    toldTicks = Expectation.await(store.engine().lateArrivals(newest, 1)).settledTicks();
    List<LateArrivalReader> found =
        LateArrivalReader.behind(store.engine(), LateArrivalPlace.START, random);
    assertThat(sorted(found)).isEqualTo(sorted(noted));
  }

  private static List<LateArrivalReader> sorted(List<LateArrivalReader> columns) {
    return columns.stream().sorted().toList();
  }
}
