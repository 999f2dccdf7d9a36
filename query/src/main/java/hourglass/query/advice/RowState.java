package hourglass.query.advice;

import hourglass.bucketing.shards.ShardClaim;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The phase in the life of a row. */
public enum RowState {
  /** The row accepts columns. No writer has claimed it, or the claims are unknown. */
  OPEN,

  /** The row accepts columns of all writers that have claimed a part of it. */
  SHARED,

  /** The row accepts columns of the one writer that has claimed it for itself. */
  FILLING,

  /** The row is at its target, and its writers continue in other rows. */
  FULL,

  /** The row accepts only late events, until it is sealed. */
  CLOSED,

  /** The row is quiet, and its counts are exact. A late event reopens it. */
  SEALED;

  /**
   * The fill from which a row is full. A writer leaves a row if its next event does not fit, so few
   * are filled to the last byte.
   */
  private static final double FULL_SHARE = 0.99;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @param fixed whether the type has a fixed number of rows, so that writers never leave one
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
