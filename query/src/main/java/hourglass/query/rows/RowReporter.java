package hourglass.query.rows;

import hourglass.bucketing.Hour;
import hourglass.bucketing.planner.Placement;
import hourglass.bucketing.planner.ShardClaim;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Puts together what is known of rows. Remembers how wide they were a moment ago. Thread-safe. */
public final class RowReporter {
  private final RowLayout layout;
  private final Placement placement;
  private final Clock clock;
  private final GrowthMeter growth = new GrowthMeter();

  /**
   * @param placement where rows live
   */
  public RowReporter(RowLayout layout, Placement placement, Clock clock) {
    this.layout = layout;
    this.placement = placement;
    this.clock = clock;
  }

  /**
   * What is known of these rows now.
   *
   * @param rows sorted by key
   * @param claims of each hour and type of the rows
   * @param asked of how many of them claims were wanted
   */
  public RowsReport report(List<RowFill> rows, Map<HourType, KnownClaims> claims, int asked) {
    List<RowReport> reports = new ArrayList<>(rows.size());
    List<TypeReport> types = new ArrayList<>();
    int answered = 0;
    if (!rows.isEmpty()) {
      NodeMap nodes = NodeMap.find(placement, rows.get(0).entry().row());
      LayoutAdvice advice = new LayoutAdvice(layout, nodes);
      for (Map.Entry<HourType, List<RowFill>> group : byType(rows).entrySet()) {
        KnownClaims known = Objects.requireNonNull(claims.get(group.getKey()));
        answered += known.whyUnknown() == null ? 1 : 0;
        group.getValue().forEach(row -> reports.add(row(row, known)));
        types.add(type(TypeRows.of(group.getValue()), known, nodes, advice));
      }
    }
    return new RowsReport(reports, types, asked, answered);
  }

  private static Map<HourType, List<RowFill>> byType(List<RowFill> rows) {
    Map<HourType, List<RowFill>> groups = new LinkedHashMap<>();
    for (RowFill row : rows) {
      groups.computeIfAbsent(HourType.of(row.entry().row()), any -> new ArrayList<>()).add(row);
    }
    return groups;
  }

  private RowReport row(RowFill row, KnownClaims known) {
    boolean over = isOver(row.entry().row().hour());
    List<ShardClaim> writers = known.of(row.entry().row().shard());
    return new RowReport(
        row,
        RowState.of(row, over, writers),
        over ? null : growth.look(row, clock.millis()),
        row.entry().sealed() ? null : writers);
  }

  private boolean isOver(Hour hour) {
    return !clock.instant().isBefore(hour.end());
  }

  private TypeReport type(TypeRows rows, KnownClaims known, NodeMap nodes, LayoutAdvice advice) {
    Skew nodeSkew = rows.size() == 1 ? null : nodes.skew(rows.rows());
    return new TypeReport(
        rows.hour(),
        rows.type(),
        rows.size(),
        rows.columns(),
        rows.bytes(),
        rows.skew(),
        nodeSkew,
        known.writers(),
        known.whyUnknown(),
        advice.of(rows, isOver(rows.hour()), nodeSkew));
  }
}
