package hourglass.query.tail;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.scan.StoreAccess;
import hourglass.query.service.Answer;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A record of late arrivals of which a tail has read a part when events of it are erased. */
class ErasedRecordTest {
  private static final int EVENTS = 40;

  private final TestClock clock = new TestClock(Instant.parse("2026-11-20T08:30:00Z"));
  private final ErasingStore store =
      ErasingStore.over(new OracleStore(clock, Duration.ofSeconds(2)));
  private final StoreAccess access = StoreAccess.of(store, QueryOptions.DEFAULTS, Answer.THREADS);
  private final RowKey row = new RowKey(Hour.of(clock.instant()).previous(), "shop", 0);

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private Columns events() {
    ColumnsBuilder columns = new ColumnsBuilder(EVENTS, 1_000);
    for (int i = 0; i < EVENTS; i++) {
      byte[] payload = ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8);
      columns.add(row.hour().startTicks() + 7L * i, 0x9000L << 48, payload, 0, payload.length);
    }
    return columns.build();
  }

  private TailStep read(TailPosition from, int bytesMax) {
    List<LateArrival> records = await(store.lateArrivals(from.place(), 1_000)).settled();
    return await(new LateArrivalReader(access, from, null, records, bytesMax).run());
  }

  @Test
  void aTailThatGoesOnInTheMiddleOfItReceivesTheOthers() {
    Columns written = events();
    await(store.write(List.of(new Mutation(row, written))));
    TailPosition start = TailPosition.before(Ticks.of(clock.instant()), LateArrivalPlace.START);
    TailStep first = read(start, 1_000);
    int delivered = first.events().size();
    assertThat(delivered).isBetween(2, EVENTS - 10);
    assertThat(first.to().names()).isEqualTo(delivered);
    ErasedRow erased = new ErasedRow(row, names(written, 0, delivered - 1, EVENTS - 3, EVENTS - 1));
    await(
        store.erase(
            new Erasure(
                new TimeUuid(Ticks.of(clock.instant()), 0x9000L << 48),
                List.of(erased),
                List.of())));
    assertThat(read(first.to(), 1 << 20).events().stream().map(TailEvent::name))
        .containsExactlyElementsOf(
            IntStream.range(delivered, EVENTS)
                .filter(i -> i < EVENTS - 3 || i == EVENTS - 1)
                .mapToObj(written::id)
                .toList());
  }

  private static Columns names(Columns of, int from, int to, int otherFrom, int otherTo) {
    ColumnsBuilder names = new ColumnsBuilder(of.size(), 0);
    names.addAll(of.namesOnly(), from, to);
    names.addAll(of.namesOnly(), otherFrom, otherTo);
    return names.build();
  }
}
