package hourglass.query;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Order;

/**
 * One event, and those before and after it.
 *
 * @param id of the event
 * @param selection which others
 * @param order of the page
 * @param limit events of the page at most, that one included; at least 1
 */
public record AroundQuery(TimeUuid id, Selection selection, Order order, long limit) {

  /** What it may read at the most: a walk either way ends with the selection's range or sooner. */
  public EventQuery widest() {
    return new EventQuery(selection, order, limit, null);
  }

  /** How many go before it in the page, if there are so many. */
  public long before() {
    return limit / 2;
  }

  /** How many follow it. */
  public long after() {
    return (limit - 1) / 2;
  }

  /** The order of a walk from the event to the beginning of the page. */
  public Order backwards() {
    return order == Order.ASCENDING ? Order.DESCENDING : Order.ASCENDING;
  }
}
