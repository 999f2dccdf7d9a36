package hourglass.query;

import hourglass.store.Columns;

/** Takes the events of a query in order. Used by one thread at a time. */
@FunctionalInterface
public interface EventTaker {
  /** Takes column {@code i} of a row of a type; false if it is not one that the query takes. */
  boolean take(String type, Columns columns, int i);
}
