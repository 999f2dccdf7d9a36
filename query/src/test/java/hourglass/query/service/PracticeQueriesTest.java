package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.FairExecutor;
import hourglass.query.QueryOptions;
import hourglass.query.fair.QueryThread;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PracticeQueriesTest {
  private final OracleStore store = new OracleStore();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final ExecutorService waiting = Executors.newCachedThreadPool();
  private final FairExecutor.Lane lane =
      new FairExecutor(threads, 2, System::nanoTime).lane("practice");
  private final QueryThread turns = new QueryThread(lane, () -> false, () -> {});

  private PracticeQueries at(Instant now) {
    Clock clock = Clock.fixed(now, ZoneOffset.UTC);
    QueryService service =
        new QueryService(store, QueryOptions.DEFAULTS, clock, lane)
            .with(access -> access.on(lane, lane, waiting));
    return new PracticeQueries(store, service, clock);
  }

  private int round(Instant now, BooleanSupplier enough) {
    return round(now, false, enough);
  }

  private int round(Instant now, boolean isFirst, BooleanSupplier enough) {
    int[] answers = {0};
    turns.run(() -> answers[0] = at(now).round(turns, isFirst, enough));
    return answers[0];
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    waiting.shutdownNow();
  }

  @Test
  void eachKindOfQueryIsAnsweredOverRecentEvents() {
    new Model(store, Seed.random(this)).addRandom(500, 2, () -> ",\"text\":\"some words\"");
    // Events in two orders, counts by minute and type, types, statistics of n, values of text, two
    // comparisons that count and read, a word and a text.
    Instant later = Model.FIRST_HOUR.end().plus(Duration.ofDays(2));
    assertThat(round(later, () -> false)).isEqualTo(12);
    assertThat(round(later, true, () -> false)).isEqualTo(12);
  }

  @Test
  void aQueryIsGivenUpOnceItIsEnough() {
    new Model(store, Seed.random(this)).addRandom(5_000, 2);
    int[] looks = {0};
    assertThat(round(Model.FIRST_HOUR.end(), () -> ++looks[0] > 3)).isLessThan(3);
  }

  @Test
  void thereIsNothingToAskWithoutRecentEvents() {
    assertThat(round(Model.FIRST_HOUR.end(), () -> false)).as("an empty store").isZero();
    new Model(store, Seed.random(this)).addRandom(10, 1);
    assertThat(round(Model.FIRST_HOUR.end().plus(Duration.ofDays(30)), () -> false)).isZero();
  }
}
