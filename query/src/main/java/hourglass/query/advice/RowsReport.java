package hourglass.query.advice;

import com.google.common.collect.Iterables;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.Placement;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.query.RowLayout;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A report about the rows of some hours. Rows are many, so each entry is created during iteration
 * and not kept. Used by one thread at a time.
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
   * The rate at which a row grows.
   *
   * @param columnsPerSecond mean rate over the period, 0 or more
   * @param overSeconds length of the period that ends now: some seconds if the row was observed
   *     before, otherwise since the row's first column
   */
  public record Growth(double columnsPerSecond, double overSeconds) {}

  /**
   * A report about the rows of a type hour.
   *
   * @param columns of all rows; an upper bound while any row is unsealed
   * @param bytes of the payloads; an upper bound while any row is unsealed
   * @param nodeSkew skew of the columns over the nodes, with each copy counted; null for a single
   *     row or fewer than two nodes
   * @param writers number of writers that claimed rows or parts of them; null if unknown
   * @param writersUnknown reason why the writers are unknown; null if they are known
   * @param proposal null if all is well
   */
  public record TypeReport(
      Hour hour,
      String type,
      int rows,
      long columns,
      long bytes,
      Skew rowSkew,
      @Nullable Skew nodeSkew,
      @Nullable Integer writers,
      @Nullable String writersUnknown,
      @Nullable Proposal proposal) {}

  /**
   * A better value of a setting.
   *
   * @param value in the syntax of the configuration
   * @param reason the observation, and the effect of the value
   */
  public record Proposal(String setting, String value, String reason) {}

  /**
   * @param typeHours sorted by hour and type
   * @param claims of the type hours that were selected for reading
   */
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

  /** The rows, sorted by hour, type and shard. */
  public Iterable<RowReport> rows() {
    return Iterables.concat(
        Iterables.transform(
            typeHours,
            rows -> {
              KnownClaims known = claims(rows);
              return Iterables.transform(rows.rows(), row -> row(row, rows, known));
            }));
  }

  /** An entry for each type hour, sorted by hour and type. */
  public Iterable<TypeReport> types() {
    return Iterables.transform(typeHours, this::type);
  }

  /** The number of type hours that have an unsealed row. */
  public int claimsAsked() {
    return (int) typeHours.stream().filter(rows -> !rows.isSealed()).count();
  }

  /** The number of type hours whose claims were read. */
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
    KnownClaims known = claims(rows);
    Skew nodeSkew = found.skew(rows.rows());
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
        new LayoutAdvice(layout, found).of(rows, nodeSkew));
  }
}
