package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.column;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.store.FirstTimes;
import hourglass.store.Limitation;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** An event without a time keeps the time at which it was first found. */
interface FirstTimesContract extends StoreFixture {
  int CLIENTS = 4;
  int EVENTS = 500;

  /** Events {@code [from, to)}, all found at one time. */
  private static FirstTimes events(int from, int to, long second) {
    long[] numbers = LongStream.range(from, to).toArray();
    long[] more = LongStream.of(numbers).map(number -> -number).toArray();
    return new FirstTimes(numbers, more, ticks(numbers.length, second));
  }

  private static long[] ticks(int events, long second) {
    return LongStream.generate(() -> StoreFixture.name((int) second).ticks())
        .limit(events)
        .toArray();
  }

  private static long[] times(FirstTimes of) {
    return IntStream.range(0, of.size()).mapToLong(of::ticks).toArray();
  }

  @Test
  default void anEventKeepsItsFirstTime() {
    FirstTimes first = store().firstTimes(events(0, 10, 1));
    assertThat(first).isEqualTo(events(0, 10, 1));
    store().write(List.of(new Mutation(ROW, Column.pack(List.of(column(1, "a"))))), first);
    assertThat(store().firstTimes(events(0, 10, 2))).isEqualTo(first);
    FirstTimes mixed = store().firstTimes(events(5, 15, 3));
    assertThat(times(mixed)).startsWith(ticks(5, 1)).endsWith(ticks(5, 3));
    assertThat(store().read(ROW)).containsExactly(column(1, "a"));
  }

  @Test
  default void anyClientFindsTheFirstTimesOfAll() {
    FirstTimes first = store().firstTimes(events(0, 10, 1), "a");
    assertThat(store().firstTimes(events(0, 10, 2), "b")).isEqualTo(first);
    assertThat(store().firstTimes(events(0, 10, 3))).isEqualTo(first);
  }

  /** Two attempts may be under way at once, and either may be the one that is stored. */
  @Test
  default void anEventKeepsItsTimeBeforeItIsStored() {
    FirstTimes first = store().firstTimes(events(0, 1, 1));
    assertThat(store().firstTimes(events(0, 1, 2))).isEqualTo(first);
  }

  @Test
  default void anEventRepeatedInARequestGetsOneTime() {
    long[] ticks = LongStream.rangeClosed(1, EVENTS).toArray();
    FirstTimes often = new FirstTimes(new long[EVENTS], new long[EVENTS], ticks);
    assertThat(times(store().firstTimes(often))).containsOnly(1);
    assertThat(times(store().firstTimes(often))).containsOnly(1);
  }

  @Test
  default void bothHalvesOfAnIdentityDistinguishEvents() {
    FirstTimes one = new FirstTimes(new long[] {1}, new long[] {1}, new long[] {10});
    FirstTimes two = new FirstTimes(new long[] {1}, new long[] {2}, new long[] {20});
    FirstTimes three = new FirstTimes(new long[] {2}, new long[] {1}, new long[] {30});
    for (FirstTimes each : List.of(one, two, three, one, two, three)) {
      assertThat(store().firstTimes(each)).isEqualTo(each);
    }
  }

  @Test
  default void anEmptyRequestReturnsNoTimes() {
    assertThat(store().firstTimes(FirstTimes.NONE)).isEqualTo(FirstTimes.NONE);
  }

  @Test
  default void storedFirstTimesSurviveAReopen() {
    for (int i = 0; i < 3; i++) {
      FirstTimes first = store().firstTimes(events(i, i + 1, i));
      store().write(List.of(new Mutation(ROW, Column.pack(List.of(column(i, "a"))))), first);
      reopen();
    }
    long[] expected =
        can(Limitation.FORGETS_ON_CLOSE)
            ? LongStream.range(0, 3).map(i -> StoreFixture.name((int) i).ticks()).toArray()
            : ticks(3, 9);
    assertThat(times(store().firstTimes(events(0, 3, 9)))).isEqualTo(expected);
  }

  @Test
  default void concurrentClientsGetTheSameTimes() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Callable<FirstTimes>> clients = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        long second = client;
        clients.add(() -> store().firstTimes(events(0, EVENTS, second)));
      }
      List<FirstTimes> answers = new ArrayList<>();
      for (Future<FirstTimes> answer : threads.invokeAll(clients)) {
        answers.add(answer.get());
      }
      assertThat(answers).containsOnly(answers.get(0));
    } finally {
      threads.shutdown();
    }
  }
}
