package hourglass.load.lab;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.simulation.NodeLoads;
import hourglass.bucketing.simulation.Ring;
import hourglass.bucketing.simulation.RowLoad;
import hourglass.bucketing.simulation.TokenAllocation;
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
    LayoutResult result = run(Scenario.HOT_TYPE, nodes, 1, 5_000_000_000L);
    assertThat(NodeLoads.maxOverMean(result.counts().loads.writes())).isLessThan(1.2);
    assertThat(result.counts().loads.worstSecond()).isLessThan(1.2);
    assertThat(widest(result)).isLessThanOrEqualTo(TARGET_COLUMNS * 11 / 10);
  }

  /** A writer new to the type spreads it after a second. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 12})
  void hotTypeIsSpreadAfterASecond(int nodes) {
    LayoutResult result = run(Scenario.HOT_TYPE, nodes, 1, 0);
    assertThat(result.counts().loads.worstSecond()).isGreaterThan(1.2);
    assertThat(result.counts().loads.worstSecondAt()).isZero();
    assertThat(NodeLoads.maxOverMean(result.counts().loads.writes())).isLessThan(1.5);
  }

  @ParameterizedTest
  @EnumSource
  void everyEventHasARowOfItsHourAndType(Scenario scenario) {
    Schedule schedule = TrafficGenerator.schedule(scenario, 2_000, 10, 0, HOUR, 1);
    NodePlacement nodes = nodes(3);
    Layout layout = layout(schedule, nodes, 3);
    for (List<Event> window : schedule.windows(10_000_000)) {
      RowKey[] rows = layout.rows(window);
      assertThat(rows).hasSameSizeAs(window);
      for (int i = 0; i < rows.length; i++) {
        assertThat(rows[i].type()).isEqualTo(window.get(i).type());
        assertThat(rows[i].hour().contains(window.get(i).ticks())).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noRowGetsTooWide(Scenario scenario) {
    assertThat(widest(run(scenario, SECONDS, 6, 4, 0)))
        .isLessThanOrEqualTo(TARGET_COLUMNS * 11 / 10);
  }

  @Test
  void quietTypesHaveOneRowEach() {
    assertThat(run(Scenario.QUIET_TYPES, SECONDS, 6, 4, 0).counts().rows())
        .hasSizeLessThanOrEqualTo(5_000);
  }

  private static long widest(LayoutResult result) {
    return result.counts().rows().stream().mapToLong(RowLoad::columns).max().orElseThrow();
  }

  private static LayoutResult run(Scenario scenario, int nodeCount, int writers, long warmUpNanos) {
    return run(scenario, 30, nodeCount, writers, warmUpNanos);
  }

  private static LayoutResult run(
      Scenario scenario, int seconds, int nodeCount, int writers, long warmUpNanos) {
    Schedule schedule = TrafficGenerator.schedule(scenario, 5_000, seconds, warmUpNanos, HOUR, 1);
    NodePlacement nodes = nodes(nodeCount);
    List<List<Event>> windows = schedule.windows(10_000_000);
    return CompareCommand.onRing(
        "adaptive", layout(schedule, nodes, writers), schedule, windows, nodes);
  }

  private static NodePlacement nodes(int count) {
    return NodePlacement.of(new Ring(TokenAllocation.allocated.nodesByToken(count, 16, 1), 1));
  }

  private static Layout layout(Schedule schedule, NodePlacement nodes, int writers) {
    PlannerOptions options = new PlannerOptions(TARGET_COLUMNS, 10L << 20, 0);
    return new AdaptiveLayout(schedule, nodes, options, writers, 1);
  }
}
