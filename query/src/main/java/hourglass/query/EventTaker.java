package hourglass.query;

import hourglass.store.Columns;

/** Receives the events of a query in order. Used by one thread at a time. */
@FunctionalInterface
public interface EventTaker {
  /**
   * Receives column {@code i} of a row of a type. Returns false if the event does not match the
   * query.
   */
  boolean take(String type, Columns columns, int i);
}
