package hourglass.query;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Order;

/**
 * A query for one event and its neighbours; {@code limit} includes the event, and is at least 1.
 */
public record AroundQuery(TimeUuid id, Selection selection, Order order, long limit) {

  /**
   * Returns a bound on the reads: the walks in both directions stay within the selection's range.
   */
  public EventQuery widest() {
    return new EventQuery(selection, order, limit, null);
  }

  public long before() {
    return limit / 2;
  }

  public long after() {
    return (limit - 1) / 2;
  }

  public Order backwards() {
    return order == Order.ASCENDING ? Order.DESCENDING : Order.ASCENDING;
  }
}
