package hourglass.load.lab;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.simulation.NodeLoads;
import hourglass.bucketing.simulation.Ring;
import hourglass.bucketing.simulation.RowLoad;
import hourglass.bucketing.simulation.TokenAllocation;
import hourglass.load.lab.traffic.BuiltInPlan;
import hourglass.load.lab.traffic.Schedule;
import hourglass.testing.Tier;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AdaptiveLayoutTest {
  private static final long TARGET_COLUMNS = 5_000;

  /** So many times the target of a row, for all events together. */
  private static final int SECONDS = Tier.length(8, 30, 30);

  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  /** The hot type loads all nodes in each second, and no row gets too wide. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 12})
  void aHotTypeIsSpread(int nodes) {
    LayoutResult result = run(BuiltInPlan.HOT_TYPE, nodes, 1, 5_000_000_000L);
    assertThat(NodeLoads.maxOverMean(result.counts().loads.writes())).isLessThan(1.2);
    assertThat(result.counts().loads.worstSecond()).isLessThan(1.2);
    assertThat(widest(result)).isLessThanOrEqualTo(TARGET_COLUMNS * 11 / 10);
  }

  /** A writer new to the type spreads it after a second. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 12})
  void hotTypeIsSpreadAfterASecond(int nodes) {
    LayoutResult result = run(BuiltInPlan.HOT_TYPE, nodes, 1, 0);
    assertThat(result.counts().loads.worstSecond()).isGreaterThan(1.2);
    assertThat(result.counts().loads.worstSecondAt()).isZero();
    assertThat(NodeLoads.maxOverMean(result.counts().loads.writes())).isLessThan(1.5);
  }

  @ParameterizedTest
  @EnumSource
  void everyEventHasARowOfItsHourAndType(BuiltInPlan builtIn) {
    Schedule schedule = builtIn.plan(2_000, 10).schedule(HOUR, 1);
    NodePlacement nodes = nodes(3);
    Layout layout = layout(schedule, nodes, 3);
    for (Schedule.Window window : schedule.windows(10_000_000)) {
      RowKey[] rows = layout.rows(schedule, window.from(), window.to());
      assertThat(rows).hasSize(window.events());
      for (int i = 0; i < rows.length; i++) {
        assertThat(rows[i].type()).isEqualTo(schedule.type(window.from() + i));
        assertThat(rows[i].hour().contains(schedule.ticks(window.from() + i))).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noRowGetsTooWide(BuiltInPlan builtIn) {
    assertThat(widest(run(builtIn, SECONDS, 6, 4, 0)))
        .isLessThanOrEqualTo(TARGET_COLUMNS * 11 / 10);
  }

  @Test
  void quietTypesHaveOneRowEach() {
    assertThat(run(BuiltInPlan.QUIET_TYPES, SECONDS, 6, 4, 0).counts().rows())
        .hasSizeLessThanOrEqualTo(5_000);
  }

  private static long widest(LayoutResult result) {
    return result.counts().rows().stream().mapToLong(RowLoad::columns).max().orElseThrow();
  }

  private static LayoutResult run(
      BuiltInPlan builtIn, int nodeCount, int writers, long warmUpNanos) {
    return run(builtIn, 30, nodeCount, writers, warmUpNanos);
  }

  private static LayoutResult run(
      BuiltInPlan builtIn, int seconds, int nodeCount, int writers, long warmUpNanos) {
    Schedule schedule = builtIn.plan(5_000, seconds).schedule(HOUR, 1).warmedUp(warmUpNanos);
    NodePlacement nodes = nodes(nodeCount);
    List<Schedule.Window> windows = schedule.windows(10_000_000);
    return new RingRun(schedule, windows, nodes).run("adaptive", layout(schedule, nodes, writers));
  }

  private static NodePlacement nodes(int count) {
    return NodePlacement.of(new Ring(TokenAllocation.allocated.nodesByToken(count, 16, 1), 1));
  }

  private static Layout layout(Schedule schedule, NodePlacement nodes, int writers) {
    PlannerOptions options = new PlannerOptions(TARGET_COLUMNS, 10L << 20, 0);
    return new AdaptiveLayout(schedule, nodes, options, writers, 1);
  }
}
