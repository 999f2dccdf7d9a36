package hourglass.query;

import hourglass.store.Order;
import org.jspecify.annotations.Nullable;

/**
 * Which events to answer, from which end, and how many.
 *
 * @param selection which
 * @param order oldest or newest first
 * @param limit how many at most, at least 1; {@link #ALL} for all of them
 * @param after where the page before ended, if this continues one
 */
public record EventQuery(
    Selection selection, Order order, long limit, @Nullable EventCursor after) {
  /** The limit of a query that has none. */
  public static final long ALL = Long.MAX_VALUE;

  public EventQuery {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " < 1");
    }
  }

  /** Whether it may leave events out at its end. */
  public boolean isLimited() {
    return limit != ALL;
  }
}
