package hourglass.query.advice;

import hourglass.bucketing.TypeHour;
import java.util.List;
import java.util.Map;

/**
 * The claims of some hours and types, and why those of all others are not known.
 *
 * @param known of the hours and types whose claims were wanted
 * @param asked how many hours and types have a row that is not sealed
 */
public record HourClaims(Map<TypeHour, KnownClaims> known, int asked) {
  private static final KnownClaims SEALED = KnownClaims.unknown("all rows are sealed");

  public HourClaims {
    known = Map.copyOf(known);
  }

  /**
   * What is known of an hour and type.
   *
   * @param rows its rows, at least one
   */
  KnownClaims of(List<RowFill> rows) {
    if (rows.stream().allMatch(row -> row.entry().sealed())) {
      return SEALED;
    }
    KnownClaims claims = known.get(rows.get(0).entry().row().typeHour());
    return claims != null
        ? claims
        : KnownClaims.unknown("claims are read of the widest %d only".formatted(known.size()));
  }

  /** Of how many hours and types they came. */
  int answered() {
    return (int) known.values().stream().filter(claims -> claims.whyUnknown() == null).count();
  }
}
