package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnsBuilder;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A clock that was ahead for a moment, or is set back while no process runs: what readers were told
 * to be settled stays so, and what is written behind it is noted.
 */
class ClockSetBackTest {
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Duration AHEAD = Duration.ofHours(2);

  @TempDir Path temp;
  private TestStore store;
  private int written;

  @BeforeEach
  void open() {
    store = new TestStore(temp, options -> options.settle(SETTLE));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void eventsOlderThanTheSettledTicksAreNotedAsLate() {
    LateArrivalPlace place = told().settledEnd();
    store.clock.pass(AHEAD);
    LateArrivals ahead = told();
    store.clock.pass(AHEAD.negated());
    TimeUuid name = write(store.clock.instant());
    assertThat(told().settledTicks()).isEqualTo(ahead.settledTicks());
    assertThat(noted(place)).containsExactly(name);
  }

  @Test
  void aClockAheadWithoutReadersMakesNoEventLate() {
    LateArrivalPlace place = told().settledEnd();
    store.clock.pass(AHEAD);
    write(store.clock.instant());
    store.clock.pass(AHEAD.negated());
    write(store.clock.instant());
    assertThat(noted(place)).isEmpty();
  }

  @Test
  void settledTicksNeverMoveBackAfterAKill() throws Exception {
    for (Duration back : List.of(Duration.ofSeconds(1), Duration.ofSeconds(30), AHEAD)) {
      LateArrivals before = told();
      store.clock.pass(back.negated());
      store.kill();
      assertThat(told().settledTicks()).isGreaterThanOrEqualTo(before.settledTicks());
      TimeUuid name = write(store.clock.instant().minus(SETTLE.dividedBy(2)));
      assertThat(noted(before.settledEnd())).containsExactly(name);
    }
  }

  @Test
  void settledTicksAreAtMostASecondAheadAfterAKill() throws Exception {
    LateArrivals before = told();
    store.kill();
    assertThat(told().settledTicks())
        .isBetween(before.settledTicks(), before.settledTicks() + Ticks.PER_SECOND);
    store.clock.pass(Duration.ofSeconds(3));
    write(store.clock.instant());
    assertThat(noted(before.settledEnd())).isEmpty();
  }

  @Test
  void aCleanStopKeepsTheSettledTicksExactly() {
    LateArrivals before = told();
    store.reopen();
    assertThat(told().settledTicks()).isEqualTo(before.settledTicks());
  }

  @Test
  void aLongerSettleDelayMakesMoreEventsLate() {
    LateArrivals before = told();
    store.close();
    store = new TestStore(temp, options -> options.settle(Duration.ofMinutes(1)));
    TimeUuid name = write(store.clock.instant().minusSeconds(10));
    assertThat(noted(before.settledEnd())).containsExactly(name);
  }

  @Test
  void clockBehindIsReportedUntilTheClockCatchesUp() {
    told();
    assertThat(store.engine().clockBehind()).isZero();
    store.clock.pass(Duration.ofSeconds(-3));
    assertThat(store.engine().clockBehind()).as("a step of a clock that is kept right").isZero();
    store.clock.pass(Duration.ofSeconds(-27));
    assertThat(store.engine().clockBehind()).isEqualTo(Duration.ofSeconds(30));
    store.clock.pass(Duration.ofSeconds(28));
    assertThat(store.engine().clockBehind()).isEqualTo(Duration.ofSeconds(2));
    store.clock.pass(Duration.ofSeconds(2));
    assertThat(store.engine().clockBehind()).isZero();
  }

  private LateArrivals told() {
    return Expectation.await(store.engine().lateArrivals(LateArrivalPlace.NEWEST, 1));
  }

  private TimeUuid write(Instant time) {
    TimeUuid name = new TimeUuid(Ticks.of(time), 0x9000L << 48 | written++);
    ColumnsBuilder columns = new ColumnsBuilder(1, 2);
    columns.add(name.ticks(), name.lsb(), new byte[] {'{', '}'}, 0, 2);
    store.write(new Mutation(new RowKey(name.hour(), "checkout", 0), columns.build()));
    return name;
  }

  /** Returns the names noted after a place. */
  private List<TimeUuid> noted(LateArrivalPlace place) {
    LateArrivals found = Expectation.await(store.engine().lateArrivals(place, 1_000));
    assertThat(found.truncated()).isFalse();
    return found.settled().stream()
        .flatMap(note -> LateArrivalReader.of(note.row(), note.names()).stream())
        .map(LateArrivalReader::name)
        .toList();
  }
}
