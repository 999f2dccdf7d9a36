package hourglass.query.advice;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.shards.Placement;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.query.RowLayout;
import hourglass.query.advice.RowsReport.Proposal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LayoutAdviceTest {
  private static final Placement THREE_NODES = row -> List.of("n" + row.shard() % 3);

  private RowLayout layout = RowLayout.DEFAULTS;
  private Placement placement = Placement.ONE_PLACE;

  private void set(long targetColumns, long targetBytes, int spread) {
    layout =
        new RowLayout(
            new PlannerOptions(targetColumns, targetBytes, spread), RowLayout.DEFAULTS.shards());
  }

  private List<RowFill> rows(int count, long columns) {
    return Rows.equal(layout.planner(), "checkout", count, columns);
  }

  private Proposal whileOpen(List<RowFill> rows) {
    return advice(rows, false);
  }

  private Proposal whenOver(List<RowFill> rows) {
    return advice(rows, true);
  }

  private Proposal advice(List<RowFill> rows, boolean hourOver) {
    NodeMap nodes = NodeMap.find(placement, new RowKey(Rows.HOUR, "checkout", 0));
    Instant at = hourOver ? Rows.HOUR.end() : Rows.HOUR.start();
    return new LayoutAdvice(layout, nodes).of(TypeRows.of(rows, at), nodes.skew(rows));
  }

  private static String setTo(Proposal proposal) {
    return proposal.setting() + " = " + proposal.value();
  }

  @Test
  void aGoodLayoutGetsNoProposal() {
    set(100_000, 32 << 20, 0);
    for (List<RowFill> well :
        List.of(
            rows(1, 1), // a quiet type
            rows(1, 100_000), // full
            rows(1, 109_999), // within the tenth
            rows(180, 100_000), // 5,000 events a second
            rows(500, 100_000))) {
      assertThat(whileOpen(well)).as(well.size() + " rows").isNull();
      assertThat(whenOver(well)).as(well.size() + " rows").isNull();
    }
  }

  @Test
  void tooNarrowRowsGetALargerTarget() {
    set(100, 10 << 20, 0);
    Proposal proposal = whileOpen(rows(30, 100));
    assertThat(setTo(proposal)).isEqualTo("bucketing.target-columns = 10000");
    assertThat(proposal.reason())
        .isEqualTo(
            "30 rows in the hour, where 1 side by side spread the writes; each row costs every"
                + " query of the hour a slice. Rows of 10,000 columns are fewer, and narrow enough");
    assertThat(whileOpen(rows(3, 100))).as("no more than the spread wants").isNull();
    set(100, 10 << 20, 10);
    assertThat(whileOpen(rows(30, 100))).as("no more than the spread wants").isNull();
    assertThat(setTo(whileOpen(rows(31, 100)))).isEqualTo("bucketing.target-columns = 10000");
  }

  @Test
  void manyRowsOfABusyTypeGetALargerTarget() {
    set(50_000, 1 << 30, 0);
    assertThat(setTo(whileOpen(rows(600, 50_000)))).isEqualTo("bucketing.target-columns = 200000");
    set(50_000, 1 << 30, 400);
    assertThat(whileOpen(rows(600, 50_000))).as("the spread wants as many").isNull();
    set(1_000_000, 1 << 30, 0);
    assertThat(whileOpen(rows(600, 1_000_000))).as("wider ones would be too wide").isNull();
  }

  @Test
  void rowsFilledByBytesGetALargerTargetOfBytes() {
    set(100_000, 64 << 10, 0);
    assertThat(setTo(whileOpen(rows(40, 655)))).isEqualTo("bucketing.target-bytes = 1 MiB");
    set(100_000_000, 10 << 20, 0);
    assertThat(setTo(whileOpen(rows(800, 104_000)))).isEqualTo("bucketing.target-bytes = 64 MiB");
  }

  @Test
  void targetsReachedTogetherAreNotRaisedSingly() {
    set(100, 64 << 10, 0);
    List<RowFill> both =
        Stream.iterate(0, shard -> shard + 1)
            .limit(40)
            .map(shard -> RowFill.of(Rows.open("checkout", shard, 100, 65_000), layout.planner()))
            .toList();
    assertThat(whileOpen(both)).isNull();
  }

  @Test
  void aRowFarBeyondItsTargetNamesTheCurrentTarget() {
    set(100_000, 1 << 30, 0);
    List<RowFill> wide = sealed(100_000, 250_000);
    Proposal proposal = whenOver(wide);
    assertThat(setTo(proposal)).isEqualTo("bucketing.target-columns = 100000");
    assertThat(proposal.reason()).startsWith("row 20112608|checkout|1 has 2.5 times the target");
    set(1_000_000, 8 << 20, 0);
    Proposal bytes = whenOver(sealed(250_000));
    assertThat(setTo(bytes)).isEqualTo("bucketing.target-bytes = 8388608");
  }

  private List<RowFill> sealed(long... columns) {
    return Rows.fills(layout.planner(), "checkout", columns).stream()
        .map(row -> RowFill.of(Rows.sealed(row.entry()), layout.planner()))
        .toList();
  }

  /** Its count is the sum of the bounds of all its writers, and may be too high. */
  @Test
  void anOpenRowIsNotJudged() {
    assertThat(whileOpen(Rows.fills(layout.planner(), "checkout", 400_000))).isNull();
    assertThat(setTo(whenOver(sealed(150_000)))).isEqualTo("bucketing.target-columns = 100000");
  }

  @Test
  void aRowOfOneLargeEventIsNotTooWide() {
    RowFill one = RowFill.of(Rows.open("checkout", 0, 1, 24 << 20), layout.planner());
    RowFill others = RowFill.of(Rows.open("checkout", 1, 90_000, 1 << 20), layout.planner());
    List<RowFill> rows =
        List.of(one, others).stream()
            .map(row -> RowFill.of(Rows.sealed(row.entry()), layout.planner()))
            .toList();
    assertThat(whenOver(rows)).isNull();
  }

  @Test
  void eventsLargerThanARowGetALargerTarget() {
    set(100_000, 64 << 10, 0);
    List<RowFill> large =
        List.of(RowFill.of(Rows.open("checkout", 0, 1, 300_000), layout.planner()));
    Proposal proposal = whileOpen(large);
    assertThat(setTo(proposal)).isEqualTo("bucketing.target-bytes = 4 MiB");
    assertThat(proposal.reason()).startsWith("an event has 300,000 bytes on the average");
  }

  @Test
  void unsuitableFixedRowsGetAdaptivePlanning() {
    layout =
        new RowLayout(
            PlannerOptions.DEFAULTS, new FixedShards(16, Map.of("checkout", 16, "a\"b\n", 1)));
    Proposal tooWide = whileOpen(rows(16, 300_000));
    assertThat(setTo(tooWide)).isEqualTo("bucketing.shards-by-type.\"checkout\" = adaptive");
    assertThat(tooWide.reason())
        .startsWith("row 20112608|checkout|")
        .endsWith("change it in all processes together");
    assertThat(whileOpen(rows(16, 10))).as("more may come").isNull();
    assertThat(whenOver(rows(16, 10)).reason()).startsWith("16 rows hold what fits into 1;");
    assertThat(whenOver(rows(16, 50_000))).isNull();
    List<RowFill> quoted = Rows.fills(layout.planner(), "a\"b\n", 900_000);
    assertThat(whileOpen(quoted).setting()).isEqualTo("bucketing.shards-by-type.\"a\\\"b\\n\"");
    List<RowFill> unlisted = Rows.fills(layout.planner(), "search", 900_000);
    assertThat(setTo(whileOpen(unlisted))).isEqualTo("bucketing.shards = adaptive");
    List<RowFill> oneEvent =
        List.of(RowFill.of(Rows.open("checkout", 0, 1, 64 << 20), layout.planner()));
    assertThat(whileOpen(oneEvent)).as("an event larger than a row").isNull();
  }

  @Test
  void aUselessSpreadGetsTheAutomaticOne() {
    set(100_000, 10 << 20, 8);
    assertThat(setTo(whenOver(rows(8, 50)))).isEqualTo("bucketing.spread = auto");
    assertThat(whileOpen(rows(8, 50))).as("more may come").isNull();
    placement = row -> List.of("n" + row.shard() % 8);
    assertThat(whenOver(rows(8, 50))).as("there are as many nodes").isNull();
  }

  @Test
  void aBusyTypeInTooFewRowsGetsASmallerTarget() {
    placement = THREE_NODES;
    set(1_000_000, 1 << 30, 0);
    List<RowFill> uneven = Rows.fills(layout.planner(), "checkout", 1_000_000, 500_000);
    assertThat(setTo(whenOver(uneven))).isEqualTo("bucketing.target-columns = 100000");
    assertThat(whileOpen(uneven)).as("more may come").isNull();
    assertThat(whenOver(rows(3, 500_000))).as("even").isNull();
    assertThat(whenOver(rows(1, 900_000))).as("no hot spot").isNull();
    placement = row -> List.of("n0", "n1", "n2");
    assertThat(whenOver(rows(1, 1_000_000))).as("a copy on each node").isNull();
    placement = Placement.ONE_PLACE;
    assertThat(whenOver(uneven)).as("nothing to spread over").isNull();
  }
}
