package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import hourglass.store.Mutation;
import hourglass.store.Retention;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.maintenance.Flusher;
import hourglass.store.testkit.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** On a full or failing disk, nothing unwritten is acknowledged, and service resumes. */
class DiskFullTest {
  private static final long RESERVE = 1_000_000_000;

  private final Random random = Chance.random("DiskFullTest");
  private final TestClock clock = new TestClock();
  private final FaultyDisk disk = new FaultyDisk();
  private final Expectation expectation = new Expectation();
  private final RandomWrites writes = new RandomWrites(random, 3);

  @TempDir(factory = FastTempDir.class)
  Path dir;

  @Test
  void writesAreRefusedBeforeTheReserveIsTouched() {
    try (EmbeddedStore store = open()) {
      write(store);
      disk.usableBytes = RESERVE - 10;
      assertThatThrownBy(() -> Expectation.await(store.write(writes.next())))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining(Long.toString(RESERVE - 10))
          .hasMessageContaining(Long.toString(RESERVE))
          .hasMessageContaining("make room");
      assertThatThrownBy(() -> Expectation.await(store.check())).isNotNull();
      expectation.check(store);
      Expectation.await(store.maintenance().flushAll());
      expectation.check(store);
      disk.usableBytes = RESERVE * 2;
      write(store);
      Expectation.await(store.check());
      expectation.check(store);
    }
    checkReopened();
  }

  @Test
  void flushingWaitsForFreeSpace() {
    try (EmbeddedStore store = open()) {
      write(store);
      disk.usableBytes = 0;
      Expectation.await(store.maintenance().flushAll());
      assertThatThrownBy(() -> Expectation.await(store.check())).hasMessageContaining("0 bytes");
      expectation.check(store);
      disk.usableBytes = RESERVE * 2;
      await()
          .ignoreExceptionsInstanceOf(UnavailableException.class)
          .untilAsserted(() -> Expectation.await(store.check()));
      write(store);
    }
    checkReopened();
  }

  @Test
  void aLongFailingFlushIsLoggedAtItsStartAndEnd() {
    Logger logger = (Logger) LoggerFactory.getLogger(Flusher.class);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(logged);
    try (EmbeddedStore store = open()) {
      write(store);
      disk.usableBytes = 0;
      for (int i = 0; i < 10; i++) {
        Expectation.await(store.maintenance().flushAll());
      }
      disk.usableBytes = RESERVE * 2;
      Expectation.await(store.maintenance().flushAll());
      Expectation.await(store.check());
    } finally {
      logger.detachAppender(logged);
      logger.setLevel(null);
    }
    assertThat(logged.list).hasSize(2);
    assertThat(logged.list.get(0).getThrowableProxy()).isNull();
    assertThat(logged.list.get(0).getFormattedMessage())
        .startsWith("pages cannot be written: " + dir)
        .contains(": 0 bytes free, a page of ", " must leave 16777216; make room on the disk")
        .endsWith("; trying again each second");
    assertThat(logged.list.get(1).getFormattedMessage()).startsWith("pages are written again");
  }

  /** An operation of each kind fails once, then all succeed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "write N.log",
        "force N.log",
        "truncate N.log",
        "create N.log",
        "close N.log",
        "delete N.log",
        "forceDirectory log",
        "create unfinished",
        "write unfinished",
        "force unfinished",
        "close unfinished",
        "move unfinished",
        "delete unfinished",
        "forceDirectory pages",
        "append CATALOGUE",
        "write CATALOGUE",
        "force CATALOGUE",
        "truncate CATALOGUE",
        "close CATALOGUE",
        "delete N.pages"
      })
  void aFailedOperationLosesNothing(String operation) {
    for (int round = 0; round < Chance.rounds(1, 1, 12); round++) {
      try (EmbeddedStore store = open()) {
        AtomicInteger left = new AtomicInteger(1 + random.nextInt(4));
        disk.failing = asked -> asked.equals(operation) && left.decrementAndGet() == 0;
        for (int i = 0; i < 12; i++) {
          tryWrite(store);
          if (i % 4 == 3) {
            attempt(() -> store.maintenance().seal());
          }
        }
        expectation.check(store);
        disk.failing = asked -> false;
        writeOnceItWorks(store);
        expectation.check(store);
      } catch (UnavailableException e) {
        assertThat(e)
            .as("closing fails, if anything")
            .hasMessageContaining("closed with a failure");
      }
      disk.failing = asked -> false;
      checkReopened();
    }
  }

  /** Random operations fail for a while, several times over. */
  @Test
  void randomDiskFailuresLoseNothing() {
    for (int round = 0; round < Chance.rounds(1, 2, 60); round++) {
      double share = random.nextDouble() * 0.4;
      Random dice = new Random(random.nextLong());
      Predicate<String> sometimes =
          asked -> {
            synchronized (dice) {
              return !asked.startsWith("createDirectories") && dice.nextDouble() < share;
            }
          };
      try (EmbeddedStore store = open()) {
        for (int spell = 0; spell < 3; spell++) {
          disk.failing = sometimes;
          for (int i = 0; i < 20; i++) {
            tryWrite(store);
            if (random.nextInt(5) == 0) {
              attempt(
                  () ->
                      random.nextBoolean()
                          ? store.maintenance().flushAll()
                          : store.maintenance().seal());
            }
          }
          disk.failing = asked -> false;
          expectation.check(store);
          writeOnceItWorks(store);
        }
        disk.failing = random.nextBoolean() ? sometimes : disk.failing;
      } catch (UnavailableException e) {
        assertThat(e).hasMessageContaining("closed with a failure");
      }
      disk.failing = asked -> false;
      checkReopened();
    }
  }

  private void checkReopened() {
    try (EmbeddedStore store = open()) {
      expectation.checkOpened(store);
      Expectation.await(store.maintenance().flushAll());
      expectation.check(store);
    }
  }

  private void write(EmbeddedStore store) {
    List<Mutation> mutations = writes.next();
    expectation.sent(mutations);
    Expectation.await(store.write(mutations));
    expectation.acknowledged(mutations);
  }

  private void tryWrite(EmbeddedStore store) {
    List<Mutation> mutations = writes.next();
    expectation.sent(mutations);
    attempt(() -> store.write(mutations).thenRun(() -> expectation.acknowledged(mutations)));
  }

  private static void attempt(Supplier<CompletionStage<Void>> operation) {
    try {
      Expectation.await(operation.get());
    } catch (UnavailableException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  /** Writes are accepted again once a retry of the failed flush succeeds. */
  private void writeOnceItWorks(EmbeddedStore store) {
    await()
        .ignoreExceptionsInstanceOf(UnavailableException.class)
        .untilAsserted(() -> write(store));
  }

  private EmbeddedStore open() {
    EmbeddedOptions options =
        EmbeddedOptions.builder(dir.resolve("data"))
            .reserveBytes(RESERVE)
            .segmentBytes(1 << 20)
            .sealAfter(Duration.ZERO)
            .retention(
                Retention.of(
                    Retention.FOREVER, Map.of(RandomWrites.SHORT_LIVED, Duration.ofDays(30))))
            .build();
    clock.set(RandomWrites.HOUR.end().plus(Duration.ofDays(2)));
    return EmbeddedStore.open(options, clock, clock::millis, new SimpleMeterRegistry(), disk);
  }
}
