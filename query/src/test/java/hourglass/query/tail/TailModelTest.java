package hourglass.query.tail;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import hourglass.query.QueryOptions;
import hourglass.query.scan.StoreAccess;
import hourglass.store.ForwardingStore;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import hourglass.testing.Seed;
import hourglass.testing.Shrink;
import hourglass.testing.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random events, in time, late and repeated, between any two calls of a step. Clients return to any
 * position, and read steps of any size and kind. In the end each has every event once, and those in
 * time in order.
 */
class TailModelTest {
  private static final Duration SETTLE = Duration.ofSeconds(2);

  /** Largest batch. A step has two to eight events, so that it ends inside many records. */
  private static final int EVENTS_MAX = 20;

  /** Few steps begin inside a record, so that a walk may have to be followed by others. */
  private static final int WALKS_MAX = 20;

  private final Random seeds = Seed.random(this);

  /** Steps in order, in all walks, that began while records were due, and inside one. */
  private int betweenRecords;

  private int withinOneRecord;

  /** One step of a walk; its random choices follow from a seed of its own. */
  private record Step(Kind kind, long seed) {}

  private enum Kind {
    WRITE,
    PASS,
    BEGIN,
    GO
  }

  @Test
  void eachClientReceivesEachEventOnce() {
    int steps = Tier.length(150, 400, 20_000);
    for (int walks = 0;
        walks == 0 || (walks < WALKS_MAX && (betweenRecords == 0 || withinOneRecord == 0));
        walks++) {
      long seed = seeds.nextLong();
      Shrink.check(
          Stream.generate(this::step).limit(steps).toList(), some -> new Walk(seed).go(some));
    }
    assertThat(betweenRecords).as("steps in order where records were due").isPositive();
    assertThat(withinOneRecord).as("steps in order in the middle of a record").isPositive();
  }

  private Step step() {
    Kind kind =
        switch (seeds.nextInt(8)) {
          case 0, 1, 2 -> Kind.WRITE;
          case 3 -> Kind.PASS;
          case 4 -> Kind.BEGIN;
          default -> Kind.GO;
        };
    return new Step(kind, seeds.nextLong());
  }

  /** A store, and clients that follow it. */
  private final class Walk {
    private final Random random;
    private final TestClock clock = new TestClock(Instant.parse("2026-11-20T08:59:40Z"));
    private final OracleStore oracle = new OracleStore(clock, SETTLE);
    private final TailWriter writer;
    private final List<TailFollower> clients = new ArrayList<>();
    private final TailReader reader;
    private boolean isQuiet;

    Walk(long seed) {
      random = new Random(seed);
      writer = new TailWriter(oracle, clock, random);
      reader =
          new TailReader(
              StoreAccess.of(
                  new RacingStore(),
                  QueryOptions.builder().sliceColumns(1 + random.nextInt(20)).build(),
                  Runnable::run),
              new TailOptions(
                  1, 1, 3 + random.nextInt(20), 600 + random.nextInt(1800), 1, 1, 1, 1 << 10));
    }

    /** Events may be written, or time may pass, between any two calls of a reader. */
    private final class RacingStore extends ForwardingStore {
      @Override
      protected WideColumnStore delegate() {
        return oracle;
      }

      @Override
      public CompletionStage<Slice> slice(SliceQuery query) {
        race();
        return super.slice(query);
      }

      @Override
      public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
        race();
        return super.lateArrivals(after, namesMax);
      }

      private void race() {
        if (isQuiet) {
          return;
        }
        if (random.nextInt(6) == 0) {
          writer.write(4);
        }
        if (random.nextInt(8) == 0) {
          clock.pass(Duration.ofMillis(random.nextInt(900)));
        }
      }
    }

    void go(List<Step> steps) {
      for (Step step : steps) {
        random.setSeed(step.seed());
        switch (step.kind()) {
          case WRITE -> writer.write(EVENTS_MAX);
          case PASS -> clock.pass(Duration.ofMillis(random.nextInt(1500)));
          case BEGIN -> {
            if (clients.size() < 6) {
              clients.add(begin());
            }
          }
          case GO -> {
            if (!clients.isEmpty()) {
              go(any(), until());
            }
          }
        }
      }
      isQuiet = true;
      clock.pass(Duration.ofMillis(60_000));
      for (TailFollower client : clients) {
        for (int still = 0; still < 2; ) {
          still = go(client, null) ? 0 : still + 1; // the connection may lose what a step moved
        }
        client.check(writer.written);
      }
    }

    /** The kind of the step before is random. */
    private boolean go(TailFollower client, TailPosition until) {
      boolean isAfterLate = random.nextBoolean();
      TailStep step =
          reader.step(client.position(), until, isAfterLate).toCompletableFuture().join();
      boolean isOrdered = step.kind() == TailStep.Kind.IN_ORDER && !step.events().isEmpty();
      betweenRecords += isOrdered && isAfterLate && step.more() ? 1 : 0;
      withinOneRecord += isOrdered && step.from().names() > 0 ? 1 : 0;
      client.take(step);
      return step.moves();
    }

    private TailFollower begin() {
      TailPosition now = reader.now().toCompletableFuture().join();
      long backTicks = random.nextBoolean() ? 0 : random.nextInt(30) * Ticks.PER_SECOND;
      TailPosition from =
          backTicks == 0 ? now : TailPosition.before(now.name().ticks() - backTicks, now.place());
      return new TailFollower(from, writer.written, random);
    }

    private TailFollower any() {
      return clients.get(random.nextInt(clients.size()));
    }

    /** Sometimes another client is ahead, at the newest position or at any. */
    private TailPosition until() {
      return switch (random.nextInt(4)) {
        case 0 -> reader.now().toCompletableFuture().join();
        case 1 -> any().position();
        default -> null;
      };
    }
  }
}
