package hourglass.query.advice;

import hourglass.bucketing.shards.ShardClaim;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where a row is in its life. */
public enum RowState {
  /** Takes columns; nobody claimed it, or it is not known who did. */
  OPEN,

  /** Takes columns of all writers that claimed a part of it. */
  SHARED,

  /** Takes columns of the one writer that claimed it for itself. */
  FILLING,

  /** As wide as planned rows are meant to be: its writers go on in others. */
  FULL,

  /** Its hour is over: only late events come, until it is sealed. */
  CLOSED,

  /** Its hour is over, it became quiet, and its counts are exact. A late event opens it again. */
  SEALED;

  /** A writer leaves a row when its next event does not fit, so few are filled to the last byte. */
  private static final double FULL_SHARE = 0.99;

  /** As in {@code sealed}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @param fixed whether the number of the type's rows is fixed, so that none is ever left
   * @param claims those of the row; null: not known
   */
  static RowState of(
      RowFill row, boolean hourOver, boolean fixed, @Nullable List<ShardClaim> claims) {
    if (row.entry().sealed()) {
      return SEALED;
    }
    if (hourOver) {
      return CLOSED;
    }
    if (!fixed && row.fill() >= FULL_SHARE) {
      return FULL;
    }
    if (claims == null || claims.isEmpty()) {
      return OPEN;
    }
    return claims.stream().anyMatch(ShardClaim::sole) ? FILLING : SHARED;
  }
}
