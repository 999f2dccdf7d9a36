package hourglass.query.advice;

import com.google.common.collect.Iterables;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.Placement;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.query.RowLayout;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A report about the rows of some hours. Entries are created during iteration, since rows are many.
 * Used by one thread at a time.
 */
public final class RowsReport {
  private static final KnownClaims SEALED = KnownClaims.unknown("all rows are sealed");

  private final List<TypeRows> typeHours;
  private final Map<TypeHour, KnownClaims> claims;
  private final RowLayout layout;
  private final Placement placement;
  private final GrowthMeter growth;
  private @Nullable NodeMap nodes;

  /**
   * The width, state and growth of a row.
   *
   * @param growth null if the hour is over or the growth is unknown
   * @param writers claims in force; null if the row is sealed or the claims are unknown
   */
  public record RowReport(
      RowFill fill, RowState state, @Nullable Growth growth, @Nullable List<ShardClaim> writers) {}

  /**
   * The growth of a row.
   *
   * @param columnsPerSecond mean, 0 or more
   * @param overSeconds period that ends now: some seconds if the row was observed before, otherwise
   *     since its first column
   */
  public record Growth(double columnsPerSecond, double overSeconds) {}

  /**
   * A report about the rows of a type hour.
   *
   * @param nodeSkew with each copy counted; null for a single row or fewer than two nodes
   * @param proposal null if all is well
   */
  public record TypeReport(
      TypeRows rows, @Nullable Skew nodeSkew, KnownClaims claims, @Nullable Proposal proposal) {}

  /**
   * A better value of a setting.
   *
   * @param value in the syntax of the configuration
   * @param reason the observation, and the effect of the value
   */
  public record Proposal(String setting, String value, String reason) {}

  RowsReport(
      List<TypeRows> typeHours,
      Map<TypeHour, KnownClaims> claims,
      RowLayout layout,
      Placement placement,
      GrowthMeter growth) {
    this.typeHours = typeHours;
    this.claims = claims;
    this.layout = layout;
    this.placement = placement;
    this.growth = growth;
  }

  /** Returns a report on each row, sorted by hour, type and shard. */
  public Iterable<RowReport> rows() {
    return Iterables.concat(
        Iterables.transform(
            typeHours,
            rows -> {
              KnownClaims known = claims(rows);
              return Iterables.transform(rows.rows(), row -> row(row, rows, known));
            }));
  }

  /** Returns a report on each type hour, sorted by hour and type. */
  public Iterable<TypeReport> types() {
    return Iterables.transform(typeHours, this::type);
  }

  public int claimsAsked() {
    return (int) typeHours.stream().filter(rows -> !rows.isSealed()).count();
  }

  public int claimsAnswered() {
    return (int) claims.values().stream().filter(known -> known.whyUnknown() == null).count();
  }

  private KnownClaims claims(TypeRows rows) {
    if (rows.isSealed()) {
      return SEALED;
    }
    KnownClaims known = claims.get(rows.typeHour());
    return known != null
        ? known
        : KnownClaims.unknown("claims are read of the widest %d only".formatted(claims.size()));
  }

  private RowReport row(RowFill row, TypeRows rows, KnownClaims known) {
    RowKey key = row.entry().row();
    List<ShardClaim> writers = known.of(key.shard());
    return new RowReport(
        row,
        RowState.of(row, rows.isOver(), layout.isFixed(key.hour(), key.type()), writers),
        rows.isOver() ? null : growth.observe(row, rows.at().toEpochMilli()),
        row.entry().sealed() ? null : writers);
  }

  private TypeReport type(TypeRows rows) {
    NodeMap found = nodes;
    if (found == null) {
      found = NodeMap.find(placement, rows.rows().get(0).entry().row());
      nodes = found;
    }
    Skew nodeSkew = found.skew(rows.rows());
    return new TypeReport(
        rows,
        rows.size() == 1 ? null : nodeSkew,
        claims(rows),
        new LayoutAdvice(layout, found).of(rows, nodeSkew));
  }
}
