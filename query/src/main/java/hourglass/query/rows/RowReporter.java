package hourglass.query.rows;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.planner.Placement;
import hourglass.bucketing.planner.ShardClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Puts together what is known of rows. Remembers how wide they were a moment ago. Thread-safe. */
public final class RowReporter {
  private final RowLayout layout;
  private final Placement placement;
  private final GrowthMeter growth = new GrowthMeter();

  /**
   * @param placement where rows live
   */
  public RowReporter(RowLayout layout, Placement placement) {
    this.layout = layout;
    this.placement = placement;
  }

  /**
   * What is known of these rows as of when the directory was read.
   *
   * @param hours ascending
   * @param claims of each hour and type of the rows
   * @param asked of how many of them claims were wanted
   */
  public RowsReport report(List<HourRows> hours, Map<HourType, KnownClaims> claims, int asked) {
    List<RowReport> rows = new ArrayList<>();
    List<TypeReport> types = new ArrayList<>();
    int answered = 0;
    NodeMap nodes = null;
    for (HourRows hour : hours) {
      for (Map.Entry<HourType, List<RowFill>> group : byType(hour.rows()).entrySet()) {
        KnownClaims known = Objects.requireNonNull(claims.get(group.getKey()));
        answered += known.whyUnknown() == null ? 1 : 0;
        group.getValue().forEach(row -> rows.add(row(row, hour, known)));
        nodes =
            nodes == null ? NodeMap.find(placement, group.getValue().get(0).entry().row()) : nodes;
        types.add(type(TypeRows.of(group.getValue()), hour, known, nodes));
      }
    }
    return new RowsReport(rows, types, asked, answered);
  }

  private static Map<HourType, List<RowFill>> byType(List<RowFill> rows) {
    Map<HourType, List<RowFill>> groups = new LinkedHashMap<>();
    for (RowFill row : rows) {
      groups.computeIfAbsent(HourType.of(row.entry().row()), any -> new ArrayList<>()).add(row);
    }
    return groups;
  }

  private RowReport row(RowFill row, HourRows hour, KnownClaims known) {
    RowKey key = row.entry().row();
    List<ShardClaim> writers = known.of(key.shard());
    return new RowReport(
        row,
        RowState.of(row, hour.isOver(), layout.isFixed(key.hour(), key.type()), writers),
        hour.isOver() ? null : growth.look(row, hour.at().toEpochMilli()),
        row.entry().sealed() ? null : writers);
  }

  private TypeReport type(TypeRows rows, HourRows hour, KnownClaims known, NodeMap nodes) {
    Skew nodeSkew = nodes.skew(rows.rows());
    return new TypeReport(
        rows.hour(),
        rows.type(),
        rows.size(),
        rows.columns(),
        rows.bytes(),
        rows.skew(),
        rows.size() == 1 ? null : nodeSkew,
        known.writers(),
        known.whyUnknown(),
        new LayoutAdvice(layout, nodes).of(rows, hour.isOver(), nodeSkew));
  }
}
