package hourglass.query.advice;

import hourglass.bucketing.TypeHour;
import java.util.List;
import java.util.Map;

/**
 * The claims of some type hours, and the reason why those of all others are unknown.
 *
 * @param known claims of the type hours that were selected for reading
 * @param asked number of type hours that have an unsealed row
 */
public record HourClaims(Map<TypeHour, KnownClaims> known, int asked) {
  private static final KnownClaims SEALED = KnownClaims.unknown("all rows are sealed");

  public HourClaims {
    known = Map.copyOf(known);
  }

  /**
   * The claims of a type hour.
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

  /** The number of type hours whose claims were read. */
  int answered() {
    return (int) known.values().stream().filter(claims -> claims.whyUnknown() == null).count();
  }
}
