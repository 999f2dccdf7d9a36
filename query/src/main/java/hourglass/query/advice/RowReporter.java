package hourglass.query.advice;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.shards.Placement;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.query.RowLayout;
import java.util.Iterator;
import java.util.List;

/** Compiles reports about rows. Remembers their recent widths to measure growth. Thread-safe. */
public final class RowReporter {
  private final RowLayout layout;
  private final Placement placement;
  private final GrowthMeter growth = new GrowthMeter();

  /**
   * @param placement of rows on nodes
   */
  public RowReporter(RowLayout layout, Placement placement) {
    this.layout = layout;
    this.placement = placement;
  }

  /**
   * Reports rows as of the time when the directory was read.
   *
   * @param hours ascending
   */
  public RowsReport report(List<HourRows> hours, HourClaims claims) {
    return new RowsReport(this, hours, claims);
  }

  /**
   * Reports the rows of a type hour.
   *
   * @param rows at least one
   */
  Iterator<RowReport> rows(HourRows hour, List<RowFill> rows, KnownClaims known) {
    return rows.stream().map(row -> row(row, hour, known)).iterator();
  }

  NodeMap nodes(RowFill like) {
    return NodeMap.find(placement, like.entry().row());
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

  /**
   * Reports a type hour as a whole.
   *
   * @param nodes of the store
   */
  TypeReport type(HourRows hour, List<RowFill> fills, KnownClaims known, NodeMap nodes) {
    TypeRows rows = TypeRows.of(fills);
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
