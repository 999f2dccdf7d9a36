package hourglass.query.tail;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.scan.StoreAccess;
import hourglass.query.service.Answer;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events in order have their turn while a record is read in part: each is delivered once. */
class TailBetweenRecordsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final Instant BEGIN = HOUR.start().plusSeconds(600);

  private final TestClock clock = new TestClock(BEGIN);
  private final OracleStore store = new OracleStore(clock, Duration.ofSeconds(2));

  /** A step has one event. */
  private final TailReader reader =
      new TailReader(
          StoreAccess.of(store, QueryOptions.builder().build(), Answer.THREADS),
          new TailOptions(1, 250, 100, 1, 1, 60_000, 500, 16 << 10));

  private final List<String> got = new ArrayList<>();
  private TailPosition position = reader.now().toCompletableFuture().join();

  /** Two of the late events are before the position, two behind it. */
  private void writeRecord() {
    clock.pass(Duration.ofSeconds(60));
    write(-20, -10, 10, 20);
  }

  @Test
  void eventsRecordedAsLateAreNotSentInOrder() {
    writeRecord();
    step(null, false);
    assertThat(got).containsExactly("-20 late");
    assertThat(position.names()).isEqualTo(1);
    while (position.name().ticks() < ticks(30)) {
      step(null, true);
    }
    assertThat(got).containsExactly("-20 late");
    assertThat(position.names()).isEqualTo(1);
    walk();
    assertThat(got).containsExactly("-20 late", "-10 late", "10 late", "20 late");
  }

  /** The tail ahead is inside the record: events that it received late are in order here. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void skippedEventsAreSentInOrder(int names) {
    writeRecord();
    TailPosition ahead = position.at(TimeUuid.first(ticks(50)), "");
    ahead =
        names < 4
            ? ahead.at(position.place(), names)
            : ahead.at(reader.now().toCompletableFuture().join().place(), 0);
    while (!position.equals(ahead)) {
      step(ahead, false);
    }
    List<String> inOrder = List.of("10", "20").subList(0, names - 2);
    assertThat(got).startsWith("-20 late", "-10 late").endsWith(inOrder.toArray(String[]::new));
    assertThat(got).hasSize(names);
    walk();
    assertThat(got).hasSize(4).contains(names < 3 ? "10 late" : "10", names < 4 ? "20 late" : "20");
  }

  private void walk() {
    boolean isAfterLate = false;
    TailStep step = step(null, isAfterLate);
    while (step.moves()) {
      isAfterLate = step.kind() == TailStep.Kind.LATE;
      step = step(null, isAfterLate);
    }
  }

  private TailStep step(TailPosition until, boolean isAfterLate) {
    TailStep step = reader.step(position, until, isAfterLate).toCompletableFuture().join();
    for (TailEvent event : step.events()) {
      long second = (event.name().ticks() - ticks(0)) / Ticks.PER_SECOND;
      got.add(second + (event.isLate() ? " late" : ""));
    }
    position = step.to();
    return step;
  }

  /** One batch of a row, at these seconds after the start. */
  private void write(int... seconds) {
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder columns = new ColumnsBuilder(seconds.length, payload.length * seconds.length);
    for (int second : seconds) {
      columns.add(ticks(second), 0x9000_0000_0000_0000L, payload, 0, payload.length);
    }
    RowKey row = new RowKey(HOUR, "a", 0);
    store.write(List.of(new Mutation(row, columns.build()))).toCompletableFuture().join();
  }

  private static long ticks(int second) {
    return Ticks.of(BEGIN.plusSeconds(second));
  }
}
