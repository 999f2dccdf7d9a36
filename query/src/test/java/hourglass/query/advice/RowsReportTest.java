package hourglass.query.advice;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.Placement;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.query.RowLayout;
import hourglass.query.advice.RowsReport.Growth;
import hourglass.query.advice.RowsReport.RowReport;
import hourglass.query.advice.RowsReport.TypeReport;
import hourglass.store.RowEntry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.util.Lists;
import org.junit.jupiter.api.Test;

class RowsReportTest {
  private static final Instant IN_THE_HOUR = Instant.parse("2026-11-20T08:20:00Z");
  private static final Instant AFTER_IT = Instant.parse("2026-11-20T09:00:00Z");

  private record Reporter(RowLayout layout, Placement placement, Instant at) {
    RowsReport report(List<RowFill> rows, Map<TypeHour, KnownClaims> claims) {
      List<TypeRows> hours = List.of(TypeRows.of(rows, at));
      return new RowsReport(hours, claims, layout, placement, new GrowthMeter());
    }
  }

  private static Reporter reporter(Instant at, Placement placement) {
    return new Reporter(RowLayout.DEFAULTS, placement, at);
  }

  private static RowFill fill(RowEntry row) {
    return RowFill.of(row, PlannerOptions.DEFAULTS);
  }

  private static Map<TypeHour, KnownClaims> claims(KnownClaims claims) {
    return Map.of(new TypeHour(Rows.HOUR, "t"), claims);
  }

  private static ShardClaim claim(int shard, String writer, boolean sole, long columns) {
    return new ShardClaim(shard, writer, sole, columns, 0);
  }

  private static List<RowReport> rows(RowsReport report) {
    return Lists.newArrayList(report.rows());
  }

  private static List<TypeReport> types(RowsReport report) {
    return Lists.newArrayList(report.types());
  }

  @Test
  void eachRowHasAState() {
    List<RowFill> rows =
        List.of(
            fill(Rows.open("t", 0, 10, 0)),
            fill(Rows.open("t", 1, 10, 0)),
            fill(Rows.open("t", 2, 10, 0)),
            fill(Rows.open("t", 3, 10, 10_400_000)),
            fill(Rows.sealed(Rows.open("t", 4, 10, 0))));
    KnownClaims known =
        KnownClaims.of(
            List.of(
                claim(0, "b", false, 20),
                claim(0, "a", false, 30),
                claim(1, "a", true, 100),
                claim(2, ShardClaim.NO_WRITER, false, 10),
                claim(2, "c", true, 0),
                claim(3, "a", true, 100)));
    RowsReport open = reporter(IN_THE_HOUR, Placement.ONE_PLACE).report(rows, claims(known));
    assertThat(open.rows())
        .extracting(RowReport::state)
        .containsExactly(
            RowState.SHARED, RowState.FILLING, RowState.OPEN, RowState.FULL, RowState.SEALED);
    assertThat(rows(open).get(0).writers())
        .containsExactly(claim(0, "a", false, 30), claim(0, "b", false, 20));
    assertThat(rows(open).get(2).writers()).as("nobody, and one that keeps off").isEmpty();
    assertThat(rows(open).get(4).writers()).as("sealed").isNull();
    assertThat(types(open).get(0).claims().writers()).isEqualTo(2);
    assertThat(types(open).get(0).claims().whyUnknown()).isNull();
    assertThat(open.claimsAnswered()).isEqualTo(1);
    RowsReport over = reporter(AFTER_IT, Placement.ONE_PLACE).report(rows, claims(known));
    assertThat(over.rows())
        .extracting(RowReport::state)
        .containsExactly(
            RowState.CLOSED, RowState.CLOSED, RowState.CLOSED, RowState.CLOSED, RowState.SEALED);
  }

  @Test
  void aRowOfAFixedLayoutStaysOpen() {
    RowLayout fixed = new RowLayout(PlannerOptions.DEFAULTS, new FixedShards(4, Map.of()));
    RowsReport report =
        new Reporter(fixed, Placement.ONE_PLACE, IN_THE_HOUR)
            .report(
                List.of(fill(Rows.open("t", 0, 200_000, 0))), claims(KnownClaims.of(List.of())));
    assertThat(rows(report).get(0).state()).isEqualTo(RowState.OPEN);
  }

  /** The report has no skew for a single row, which the advice must not mistake for the worst. */
  @Test
  void aSingleRowOnEveryNodeGetsNoProposal() {
    RowLayout wide =
        new RowLayout(new PlannerOptions(5_000_000, 1 << 30, 0), RowLayout.DEFAULTS.shards());
    RowsReport report =
        new Reporter(wide, row -> List.of("n0", "n1", "n2"), AFTER_IT)
            .report(
                List.of(RowFill.of(Rows.open("t", 0, 3_000_000, 0), wide.planner())),
                claims(KnownClaims.of(List.of())));
    assertThat(types(report).get(0).proposal()).isNull();
  }

  @Test
  void unreadClaimsLeaveTheWritersUnknown() {
    RowsReport report =
        reporter(IN_THE_HOUR, Placement.ONE_PLACE)
            .report(List.of(fill(Rows.open("t", 0, 10, 0))), claims(KnownClaims.unknown("away")));
    assertThat(rows(report).get(0).writers()).isNull();
    assertThat(rows(report).get(0).state()).isEqualTo(RowState.OPEN);
    assertThat(types(report).get(0).claims().writers()).isNull();
    assertThat(types(report).get(0).claims().whyUnknown()).isEqualTo("away");
    assertThat(report.claimsAsked()).isEqualTo(1);
    assertThat(report.claimsAnswered()).isZero();
  }

  @Test
  void onlyRowsOfTheCurrentHourHaveGrowth() {
    List<RowFill> rows = List.of(fill(Rows.open("t", 0, 1_200, 0)));
    Map<TypeHour, KnownClaims> none = claims(KnownClaims.of(List.of()));
    RowsReport open = reporter(IN_THE_HOUR, Placement.ONE_PLACE).report(rows, none);
    assertThat(rows(open).get(0).growth()).isEqualTo(new Growth(2, 600));
    RowsReport over = reporter(AFTER_IT, Placement.ONE_PLACE).report(rows, none);
    assertThat(rows(over).get(0).growth()).isNull();
  }

  /** Each copy counts, and so does a node without a row of the type. */
  @Test
  void skewIsOverRowsAndOverNodes() {
    Placement pairs = row -> List.of("n" + row.shard() % 4, "n" + (row.shard() + 1) % 4);
    List<RowFill> rows = Rows.fills(PlannerOptions.DEFAULTS, "t", 30, 10);
    RowsReport report = reporter(AFTER_IT, pairs).report(rows, claims(KnownClaims.of(List.of())));
    TypeReport type = types(report).get(0);
    assertThat(type.rows().size()).isEqualTo(2);
    assertThat(type.rows().columns()).isEqualTo(40);
    assertThat(type.rows().bytes()).isEqualTo(4_000);
    assertThat(type.rows().skew()).isEqualTo(new Skew(2, 1.5, 0.25));
    assertThat(type.nodeSkew()).isEqualTo(Skew.of(30, 40, 10, 0));
  }

  @Test
  void aSingleRowOrPlaceHasNoSkewOverNodes() {
    Map<TypeHour, KnownClaims> none = claims(KnownClaims.of(List.of()));
    RowsReport oneRow =
        reporter(AFTER_IT, row -> List.of("n" + row.shard() % 3))
            .report(Rows.fills(PlannerOptions.DEFAULTS, "t", 30), none);
    assertThat(types(oneRow).get(0).nodeSkew()).isNull();
    RowsReport onePlace =
        reporter(AFTER_IT, row -> List.of("n0"))
            .report(Rows.fills(PlannerOptions.DEFAULTS, "t", 30, 30), none);
    assertThat(types(onePlace).get(0).nodeSkew()).isNull();
  }

  @Test
  void allNodesOfALargeClusterAreFound() {
    Placement hashed = row -> List.of("n" + new SplittableRandom(row.shard()).nextInt(300));
    NodeMap nodes = NodeMap.find(hashed, Rows.open("t", 0, 1, 1).row());
    assertThat(nodes.count()).isEqualTo(300);
  }
}
