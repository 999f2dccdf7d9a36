package hourglass.query;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.cache.RowSource;
import hourglass.store.ArrivalPlace;
import hourglass.store.Arrivals;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/**
 * Tails over random events, in time, late and repeated, that come also between any two calls of a
 * step; with clients that come back to any position, and read steps of any size with others before
 * them. Each has every event once in the end, those in time in order.
 */
class TailModelTest {
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Instant START = Instant.parse("2026-11-20T08:59:40Z");

  private final Random random = Seed.random(this);
  private final TestClock clock = new TestClock(START);
  private final OracleStore oracle = new OracleStore(clock, SETTLE);
  private final Set<Event> written = new HashSet<>();
  private final List<Client> clients = new ArrayList<>();
  private final TailReader reader =
      new TailReader(
          new RacingStore(),
          RowSource.of(new RacingStore()),
          QueryOptions.builder().sliceColumns(1 + random.nextInt(20)).build(),
          new TailOptions(
              1, 1, 1 + random.nextInt(20), 200 + random.nextInt(4000), 1, 1, 1, 1 << 10),
          ForkJoinPool.commonPool());

  /** Whether nothing is written any more. */
  private volatile boolean isQuiet;

  private record Event(TimeUuid name, String type) {}

  /** Between any two calls of a reader something may be written, or time may go by. */
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
    public CompletionStage<Arrivals> arrivals(ArrivalPlace after, int namesMax) {
      race();
      return super.arrivals(after, namesMax);
    }

    private void race() {
      synchronized (random) {
        if (isQuiet) {
          return;
        }
        if (random.nextInt(4) == 0) {
          writeSome();
        }
        if (random.nextInt(8) == 0) {
          pass(random.nextInt(900));
        }
      }
    }
  }

  /** What one client has. */
  private final class Client {
    private final Set<Event> before = new HashSet<>();
    private final Set<Event> got = new HashSet<>();
    private TailPosition position;
    private Event last = new Event(TimeUuid.first(0), "");

    Client(TailPosition position) {
      this.position = position;
      for (Event event : written) {
        if (position.covers(event.name(), event.type())) {
          before.add(event);
        }
      }
    }

    /** A step, of which the connection may lose the end. */
    boolean go(TailPosition until) {
      TailStep step = reader.step(position, until).toCompletableFuture().join();
      assertThat(step.from()).isEqualTo(position);
      int taken =
          random.nextInt(3) == 0 ? random.nextInt(step.events().size() + 1) : Integer.MAX_VALUE;
      for (TailEvent event : step.events().stream().limit(taken).toList()) {
        take(event);
        position = TailPosition.parse(event.after().encode());
      }
      if (taken > step.events().size()) {
        position = TailPosition.parse(step.to().encode());
      }
      return step.moves();
    }

    private void take(TailEvent taken) {
      Event event = new Event(taken.name(), taken.row().type());
      assertThat(got.add(event)).as("%s once", event).isTrue();
      assertThat(before).doesNotContain(event);
      if (!taken.isLate()) {
        assertThat(compare(event, last)).as("%s after %s", event, last).isPositive();
        last = event;
      }
    }

    void check() {
      Set<Event> expected = new HashSet<>(written);
      expected.removeAll(before);
      assertThat(got).isEqualTo(expected);
    }
  }

  private static int compare(Event a, Event b) {
    int byName = a.name().compareTo(b.name());
    return byName != 0 ? byName : a.type().compareTo(b.type());
  }

  @Test
  void eachClientHasEachEventOnce() {
    int steps = Boolean.getBoolean("hourglass.long") ? 20_000 : 800;
    for (int i = 0; i < steps; i++) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> writeSome();
        case 3 -> pass(random.nextInt(1500));
        case 4 -> {
          if (clients.size() < 6) {
            clients.add(new Client(begin()));
          }
        }
        default -> {
          if (!clients.isEmpty()) {
            clients.get(random.nextInt(clients.size())).go(until());
          }
        }
      }
    }
    assertThat(clients).isNotEmpty();
    isQuiet = true;
    pass(60_000);
    for (Client client : clients) {
      for (int still = 0; still < 2; ) {
        still = client.go(null) ? 0 : still + 1; // the connection may lose what a step moved
      }
      client.check();
    }
  }

  private TailPosition begin() {
    TailPosition now = reader.now().toCompletableFuture().join();
    return random.nextBoolean()
        ? now
        : TailPosition.before(
            now.name().ticks() - random.nextInt(30) * Ticks.PER_SECOND, now.place());
  }

  /** Now and then somebody else is ahead, and is to be met. */
  private TailPosition until() {
    return random.nextBoolean() ? null : reader.now().toCompletableFuture().join();
  }

  private void pass(int millis) {
    clock.pass(Duration.ofMillis(millis));
  }

  /** A batch of events of all ages; some of them again, perhaps in another shard. */
  private void writeSome() {
    synchronized (random) {
      List<Event> batch = new ArrayList<>();
      List<Event> known = new ArrayList<>(written);
      for (int i = random.nextInt(8); i >= 0; i--) {
        batch.add(
            random.nextInt(4) == 0 && !known.isEmpty()
                ? known.get(random.nextInt(known.size()))
                : fresh());
      }
      for (Event event : batch) {
        oracle.write(List.of(mutation(event))).toCompletableFuture().join();
        written.add(event);
      }
    }
  }

  private Event fresh() {
    long now = Ticks.of(clock.instant());
    long age = random.nextInt(5) == 0 ? random.nextInt(60_000) : random.nextInt(3_000);
    long early = random.nextInt(6) == 0 ? random.nextInt(5_000) : 0;
    // Few of each second, so that names and ticks meet.
    long millis = (age - early) / 50 * 50;
    TimeUuid name = TimeUuid.first(now - millis * Ticks.PER_MILLI);
    return new Event(random.nextBoolean() ? name : name.successor(), "type " + random.nextInt(3));
  }

  private Mutation mutation(Event event) {
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder column = new ColumnsBuilder(1, payload.length);
    column.add(event.name().ticks(), event.name().lsb(), payload, 0, payload.length);
    Hour hour = event.name().hour();
    return new Mutation(new RowKey(hour, event.type(), random.nextInt(2)), column.build());
  }
}
