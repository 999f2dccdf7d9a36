package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.simulation.Ring;
import hourglass.bucketing.simulation.Simulation;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/**
 * Many writers and types, with bursts, late events, restarts, clocks that differ, a directory that
 * fails, and hours that end.
 */
class SimulationTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final int TYPES = 1_000;
  private static final int WRITERS_MAX = 50;
  private static final int TICK_MILLIS = 250;

  /** Half of it in the next hour. */
  private static final int MINUTES = Tier.length(6, 30, 30);

  /** Small, so that a short run fills many rows. */
  private static final PlannerOptions NARROW = new PlannerOptions(4_000, 400_000, 0);

  @RepeatedTest(3)
  void rowsStayNarrowAndQuietTypesThin(RepetitionInfo repetition) {
    Random random = Seed.random("SimulationTest " + repetition.getCurrentRepetition());
    int nodes = random.nextInt(13);
    Ring ring = nodes == 0 ? null : PlannerRun.ring(nodes, 1 + random.nextInt(3), random);
    PlannerRun run = new PlannerRun(NARROW, ring, random, HOUR);
    run.run((60 - MINUTES / 2) * 60_000);
    run.failures = 0.01;
    Zipf ranks = new Zipf(TYPES, 0.8 + random.nextDouble());
    List<Simulation.Writer> writers = writers(run, 1 + random.nextInt(WRITERS_MAX));
    for (int tick = 0; tick < MINUTES * 60_000 / TICK_MILLIS; tick++) {
      for (Simulation.Writer writer : writers) {
        push(run, writer, ranks, random);
      }
      if (random.nextInt(2_000) == 0) {
        writers.get(random.nextInt(writers.size())).restart();
      }
      if (random.nextInt(40) == 0) {
        writers.get(random.nextInt(writers.size())).tick();
      }
      run.run(TICK_MILLIS);
    }
    run.failures = 0;
    for (int i = 0; i < 20; i++) {
      run.run(1_000);
    }

    System.out.printf(
        "%d nodes, %d writers, %d columns, %d claims, %d waits (longest %d ms)%n%s%n",
        nodes,
        writers.size(),
        run.columns,
        run.claimsPublished(),
        run.waits,
        run.longestWaitMillis,
        run.widths());
    assertThat(run.longestWaitMillis).isLessThan(10_000);
    assertThat(writers).noneMatch(Simulation.Writer::isWaiting);
    assertThat(run.widest()).isLessThanOrEqualTo(1.1);
    assertThin(run);
  }

  private static List<Simulation.Writer> writers(PlannerRun run, int count) {
    List<Simulation.Writer> writers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writers.add(run.writer(run.random.nextInt(6_000) - 3_000));
    }
    return writers;
  }

  private static void push(PlannerRun run, Simulation.Writer writer, Zipf ranks, Random random) {
    int rank = ranks.next(random);
    Hour hour = Hour.of(Instant.ofEpochMilli(run.nowMillis()));
    boolean late = random.nextInt(50) == 0;
    if (late) {
      hour = new Hour(hour.epochHours() - 1 - random.nextInt(5));
    }
    int columns = 1 + random.nextInt(rank < 10 ? 200 : 5);
    if (random.nextInt(20_000) == 0) {
      columns *= 1_000;
    }
    run.push(writer, hour, "t" + rank, columns, 20 + random.nextInt(200));
  }

  /** A type with a tenth of a row has one row for all writers. */
  private static void assertThin(PlannerRun run) {
    Map<String, Capacity> byType = new HashMap<>();
    Map<String, Integer> rowsByType = new HashMap<>();
    run.rows.forEach(
        (row, load) -> {
          byType.merge(typeHour(row), new Capacity(load.columns(), load.bytes()), Capacity::plus);
          rowsByType.merge(typeHour(row), 1, Integer::sum);
        });
    long quiet = 0;
    for (Map.Entry<String, Capacity> type : byType.entrySet()) {
      if (type.getValue().share(NARROW.target()) <= 0.1) {
        quiet++;
        assertThat(rowsByType.get(type.getKey())).as(type.getKey()).isEqualTo(1);
      }
    }
    System.out.println(quiet + " quiet types, " + (byType.size() - quiet) + " others");
  }

  private static String typeHour(RowKey row) {
    return row.hour() + " " + row.type();
  }

  /** One type receives 99 % of a million events a second, beside a thousand others. */
  @Test
  void claimsAreRare() {
    Random random = Seed.random("SimulationTest.claimsAreRare");
    PlannerRun run =
        new PlannerRun(PlannerOptions.DEFAULTS, PlannerRun.ring(6, 1, random), random, HOUR);
    Zipf ranks = new Zipf(TYPES - 1, 1.1);
    List<Simulation.Writer> writers = writers(run, 20);
    for (int second = 0; second < Tier.length(200, 1_000, 1_000); second++) {
      for (Simulation.Writer writer : writers) {
        run.push(writer, HOUR, "hot", 49_500, 80);
        for (int left = 500; left > 0; left -= 50) {
          run.push(writer, HOUR, "t" + ranks.next(random), 50, 80);
        }
      }
      run.run(1_000);
    }
    System.out.printf(
        "%d columns, %d claims, %.2f a 10,000 columns%n%s%n",
        run.columns,
        run.claimsPublished(),
        1e4 * run.claimsPublished() / run.columns,
        run.widths());
    assertThat(run.widest()).isLessThanOrEqualTo(1.1);
    assertThat(1e4 * run.claimsPublished() / run.columns).isLessThan(1);
  }
}
