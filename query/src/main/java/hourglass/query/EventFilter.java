package hourglass.query;

import hourglass.query.where.TextSearch;
import hourglass.query.where.Where;
import hourglass.query.where.WhereException;
import hourglass.store.Columns;
import org.jspecify.annotations.Nullable;

/** What a selection wants of an event beyond its row and time. Immutable. */
final class EventFilter {
  private final @Nullable TextSearch contains;
  private final @Nullable Where where;

  private EventFilter(@Nullable TextSearch contains, @Nullable Where where) {
    this.contains = contains;
    this.where = where;
  }

  /**
   * What a selection wants; null if every event of its rows and times will do.
   *
   * @throws BadParameterException if its expression is none
   */
  static @Nullable EventFilter of(Selection selection) {
    if (selection.contains().isEmpty() && selection.where().isEmpty()) {
      return null;
    }
    TextSearch contains =
        selection.contains().isEmpty() ? null : new TextSearch(selection.contains());
    return new EventFilter(contains, where(selection.where()));
  }

  private static @Nullable Where where(String expression) {
    try {
      return expression.isEmpty() ? null : Where.compile(expression);
    } catch (WhereException e) {
      throw new BadParameterException("where: \"" + expression + "\": " + e.getMessage());
    }
  }

  /** Whether column {@code i} of a row of a type is wanted. */
  boolean takes(String type, Columns columns, int i) {
    return (contains == null || contains.isIn(columns, i))
        && (where == null || where.matches(columns, i, type));
  }
}
