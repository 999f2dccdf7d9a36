package hourglass.query.tail;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.scan.StoreAccess;
import hourglass.query.service.Answer;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ForwardingStore;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An import of old events, faster than its records are read, beside events in time. */
class TailTurnsTest {
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final int ROUNDS = 400;
  private static final int ROUND_MILLIS = 100;
  private static final int NAMES_A_NOTE = 50;
  private static final int NOTES_A_ROUND = 3;
  private static final long NAMES = (long) ROUNDS * NOTES_A_ROUND * NAMES_A_NOTE;

  private final TestClock clock = new TestClock(Instant.parse("2026-11-20T08:30:00Z"));
  private final Counted store = new Counted();
  private final TailReader reader =
      new TailReader(
          StoreAccess.of(store, QueryOptions.builder().build(), Answer.THREADS),
          new TailOptions(1, 250, 100, 1 << 20, 1, 60_000, 500, 16 << 10));
  private TailPosition position = reader.now().toCompletableFuture().join();
  private boolean isAfterLate;
  private int written;
  private int late;
  private int inOrder;
  private Instant reached = clock.instant();

  /** Counts names in records. */
  private final class Counted extends ForwardingStore {
    private final OracleStore oracle = new OracleStore(clock, SETTLE);
    private long names;

    @Override
    protected WideColumnStore delegate() {
      return oracle;
    }

    @Override
    public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
      return super.lateArrivals(after, namesMax).thenApply(this::count);
    }

    private LateArrivals count(LateArrivals found) {
      for (LateArrival record :
          Stream.concat(found.settled().stream(), found.unsettled().stream()).toList()) {
        names += record.names().size();
      }
      return found;
    }
  }

  @Test
  void anImportDoesNotDelayPunctualEvents() {
    Instant old = clock.instant().minus(Duration.ofDays(1));
    for (int round = 0; round < ROUNDS; round++) {
      for (int record = 0; record < NOTES_A_ROUND; record++) {
        write("old", old, NAMES_A_NOTE);
      }
      write("new", clock.instant(), 1);
      clock.pass(Duration.ofMillis(ROUND_MILLIS));
      step();
      assertThat(Duration.between(reached, clock.instant()))
          .as("in round %s", round)
          .isLessThan(SETTLE.plusSeconds(1));
    }
    assertThat(late).as("records are read as well").isBetween(ROUNDS * 50, (int) NAMES - 10_000);
    assertThat(store.names).as("and not again and again").isLessThan(4 * NAMES);
    clock.pass(SETTLE.plusMillis(1));
    while (step().moves()) {
      continue;
    }
    assertThat(late).isEqualTo((int) NAMES);
    assertThat(inOrder).isEqualTo(ROUNDS);
  }

  private TailStep step() {
    TailStep step = reader.step(position, null, isAfterLate).toCompletableFuture().join();
    position = step.to();
    isAfterLate = step.kind() == TailStep.Kind.LATE;
    for (TailEvent event : step.events()) {
      late += event.isLate() ? 1 : 0;
      inOrder += event.isLate() ? 0 : 1;
      reached = event.isLate() ? reached : Ticks.toInstant(event.name().ticks());
    }
    return step;
  }

  private void write(String type, Instant time, int count) {
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder columns = new ColumnsBuilder(count, count * payload.length);
    for (int i = 0; i < count; i++) {
      columns.add(Ticks.of(time), 0x9000_0000_0000_0000L | ++written, payload, 0, payload.length);
    }
    RowKey row = new RowKey(new TimeUuid(Ticks.of(time), 0).hour(), type, 0);
    store.write(List.of(new Mutation(row, columns.build()))).toCompletableFuture().join();
  }
}
