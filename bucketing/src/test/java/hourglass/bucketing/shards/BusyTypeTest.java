package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.simulation.Ring;
import hourglass.bucketing.simulation.Simulation;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A single type receives nearly all of a million events a second. */
class BusyTypeTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private static final int SECONDS = Tier.length(40, 80, 80);

  private static final int WARM_UP_SECONDS = 20;

  @ParameterizedTest
  @CsvSource({
    "2, 1, 100000",
    "3, 1, 100000",
    "3, 2, 100000",
    "3, 3, 100000",
    "12, 1, 100000",
    "12, 3, 100000",
    "50, 3, 100000"
  })
  void loadsTheNodesEvenly(int nodes, int copies, long targetColumns) {
    assertEven(nodes, copies, targetColumns);
  }

  /** The ring places the copies of a row; with twenty rows a node, their loads even out. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @Tag(Tier.IN_FULL)
  void loadsManyNodesEvenly(int copies) {
    assertEven(200, copies, 25_000);
  }

  private static void assertEven(int nodes, int copies, long targetColumns) {
    Random random = Seed.random("BusyTypeTest");
    Ring ring = PlannerRun.ring(nodes, copies, random);
    PlannerOptions options = new PlannerOptions(targetColumns, 10L << 20, 0);
    PlannerRun run = new PlannerRun(options, ring, random, HOUR);
    List<Simulation.Writer> writers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      writers.add(run.writer(random.nextInt(2000) - 1000));
    }
    long columnsOfWarmUp = 0;
    long publishedInWarmUp = 0;
    for (int tick = 0; tick < 20 * SECONDS; tick++) {
      if (tick == 20 * WARM_UP_SECONDS) {
        columnsOfWarmUp = run.columns;
        publishedInWarmUp = run.claimsPublished();
      }
      for (Simulation.Writer writer : writers) {
        run.push(writer, HOUR, "hot", 4_950, 100);
        run.push(writer, HOUR, "cold" + random.nextInt(100), 1 + random.nextInt(99), 100);
      }
      run.run(50);
    }
    double overall = run.maxToMean(WARM_UP_SECONDS, SECONDS);
    double worst = 0;
    for (int second = WARM_UP_SECONDS; second < SECONDS; second++) {
      worst = Math.max(worst, run.maxToMean(second, second + 1));
    }
    System.out.printf(
        "%d nodes, %d copies: max/mean %.3f, of one second %.3f; %d rows, %d claims for %.1f M"
            + " columns, waits %d (longest %d ms)%n%s%n",
        nodes,
        copies,
        overall,
        worst,
        run.rows(HOUR, "hot"),
        run.claimsPublished(),
        run.columns / 1e6,
        run.waits,
        run.longestWaitMillis,
        run.widths());
    assertThat(run.widest()).isLessThanOrEqualTo(1.1);
    assertThat(overall).isLessThanOrEqualTo(1.1);
    assertThat(worst).isLessThanOrEqualTo(nodes < 200 ? 1.2 : 1.25);
    double published = run.claimsPublished() - publishedInWarmUp;
    assertThat(published / (run.columns - columnsOfWarmUp)).isLessThan(1e-4);
  }
}
