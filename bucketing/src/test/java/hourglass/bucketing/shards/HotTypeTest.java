package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.simulation.Simulation;
import hourglass.testing.Seed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An unknown type becomes hot in a moment, or seems to. */
class HotTypeTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final int PAYLOAD_BYTES = 100;

  private final Random random = Seed.random("HotTypeTest");

  private final class Traffic {
    private final PlannerRun run;
    private final List<Simulation.Writer> writers;
    private final long begin;
    private final long beginSecond;

    private Traffic(PlannerRun run, int writers) {
      this.run = run;
      this.writers =
          IntStream.range(0, writers).mapToObj(i -> run.writer(random.nextInt(200) - 100)).toList();
      this.begin = run.nowMillis();
      this.beginSecond = run.second();
    }

    private void push(int seconds, int perSecond, int columnsMax) {
      double at = run.nowMillis();
      long looked = run.nowMillis();
      while (at < begin + 1000L * seconds) {
        run.run((long) at - run.nowMillis());
        if (run.nowMillis() - looked >= 2_000) {
          looked = run.nowMillis();
          writers.forEach(Simulation.Writer::tick);
        }
        int columns = 1 + random.nextInt(columnsMax);
        Hour hour = Hour.of(Instant.ofEpochMilli(run.nowMillis()));
        run.push(writers.get(random.nextInt(writers.size())), hour, "hot", columns, PAYLOAD_BYTES);
        at -= Math.log(1 - random.nextDouble()) * columns * 1000 / perSecond;
      }
      run.run(2_000);
    }

    /** The busiest node over the mean, by second; omits seconds with almost no columns. */
    private List<Double> maxToMean(int fromSecond, int toSecond, int perSecond) {
      List<Double> ratios = new ArrayList<>();
      for (long s = beginSecond + fromSecond; s < beginSecond + toSecond; s++) {
        if (LongStream.of(run.columns(s, s + 1)).sum() >= perSecond / 4) {
          ratios.add(run.maxToMean(s, s + 1));
        }
      }
      return ratios.stream().sorted().toList();
    }
  }

  private PlannerRun run(int nodes) {
    return new PlannerRun(PlannerOptions.DEFAULTS, PlannerRun.ring(nodes, 1, random), random, HOUR);
  }

  /**
   * After that second all nodes have the same, also while an hour ends and the next begins. Of
   * several writers each sees less, and the last may need a second or two more.
   */
  @ParameterizedTest
  @CsvSource({
    "3, 1, 2000, 1",
    "3, 3, 2000, 4",
    "12, 1, 2000, 1",
    "12, 3, 2000, 4",
    "50, 1, 4000, 1",
    "50, 3, 20000, 4"
  })
  void loadsTheNodesEvenlyFromTheSecondSecondOn(
      int nodes, int writers, int perSecond, int fromSecond) {
    PlannerRun run = run(nodes);
    run.run(58 * 60_000);
    Traffic traffic = new Traffic(run, writers);
    traffic.push(240, perSecond, 20);
    List<Double> ratios = traffic.maxToMean(fromSecond, 240, perSecond);
    print(nodes + " nodes, " + writers + " writers", run, ratios);
    assertThat(ratios).hasSizeGreaterThan(200);
    assertEven(ratios);
    assertThat(run.widest()).isLessThanOrEqualTo(1.1);
  }

  @ParameterizedTest
  @CsvSource({"3, 1, 20", "3, 3, 20", "12, 1, 20", "12, 3, 30"})
  void dealsBatchesOfAnySizeEvenly(int nodes, int writers, int spreadBySecond) {
    PlannerRun run = run(nodes);
    run.run(58 * 60_000);
    Traffic traffic = new Traffic(run, writers);
    traffic.push(240, 20_000, 5_000);
    List<Double> ratios = traffic.maxToMean(spreadBySecond, 240, 20_000);
    print(nodes + " nodes, " + writers + " writers, batches", run, ratios);
    assertThat(ratios).hasSizeGreaterThan(150);
    assertEven(ratios);
    assertThat(run.widest()).isLessThanOrEqualTo(1.1);
  }

  private static void assertEven(List<Double> ratios) {
    assertThat(ratios.get(ratios.size() - 1)).isLessThanOrEqualTo(1.2);
  }

  /** The bound: four fifths of a second of evidence, the next push, and the delay of a claim. */
  @Test
  void aHotTypeGetsItsRowsWithinASecond() {
    PlannerRun run = run(3);
    Simulation.Writer writer = run.writer(0);
    int pushes = 0;
    while (run.rows.size() < 3) {
      run.push(writer, HOUR, "hot", 20, PAYLOAD_BYTES);
      run.run(10);
      pushes++;
      assertThat(pushes).isLessThanOrEqualTo(100);
    }
    assertThat(pushes).isGreaterThan(4 * SteadyPace.SLOT_MILLIS / 10);
  }

  @Test
  void aBurstOpensNoRow() {
    PlannerRun run = run(12);
    List<Simulation.Writer> writers = IntStream.range(0, 3).mapToObj(i -> run.writer(0)).toList();
    for (int second = 0; second < 600; second++) {
      for (int type = 0; type < 20; type++) {
        run.push(writers.get(type % 3), HOUR, "quiet" + type, 1, PAYLOAD_BYTES);
        if (second == 30 * type) {
          for (int sent = 0; sent < 3; sent++) {
            run.push(writers.get(type % 3), HOUR, "quiet" + type, 5_000, PAYLOAD_BYTES);
            run.run(random.nextInt(300));
          }
        }
      }
      run.run(1_000);
    }
    for (int type = 0; type < 20; type++) {
      assertThat(run.rows(HOUR, "quiet" + type)).as("quiet%d", type).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 3", "12, 3", "12, 10", "50, 3"})
  void claimsOfAnHourAreRare(int nodes, int writers) {
    PlannerRun run = run(nodes);
    Traffic traffic = new Traffic(run, writers);
    traffic.push(3_600, 2_000, 200);
    print(
        nodes + " nodes, " + writers + " writers, an hour",
        run,
        traffic.maxToMean(60, 3_600, 2_000));
    assertThat(1e4 * run.claimsPublished() / run.columns).isLessThan(1);
    assertThat(run.widest()).isLessThanOrEqualTo(1.1);
  }

  @Test
  void claimsOfASharedRowAreRare() {
    PlannerRun run = run(3);
    Traffic traffic = new Traffic(run, 10);
    traffic.push(3_600, 60, 20);
    print("60 a second", run, traffic.maxToMean(60, 3_600, 60));
    assertThat(1e4 * run.claimsPublished() / run.columns)
        .isLessThan(20); // more than a hundred if each push asked
  }

  private static void print(String what, PlannerRun run, List<Double> ratios) {
    System.out.printf(
        "%s: max/mean of a second: median %.2f, 99 of 100 %.2f, worst %.2f; %d rows, widest %.3f,"
            + " %.2f claims a 10,000 columns%n",
        what,
        ratios.get(ratios.size() / 2),
        ratios.get(ratios.size() * 99 / 100),
        ratios.get(ratios.size() - 1),
        run.rows.size(),
        run.widest(),
        1e4 * run.claimsPublished() / run.columns);
  }
}
