package hourglass.query.where;

import hourglass.query.where.json.FieldTree;
import hourglass.store.Columns;

/**
 * Evaluates an expression on the values of an event. Immutable.
 *
 * @param fields the fields that it reads from payloads
 * @param variables the number of variables of its loops
 */
record Evaluation(Expression expression, FieldTree fields, int variables) {
  /**
   * Returns the value for column {@code i} of a row. It is an error if the payload is not valid
   * JSON.
   *
   * @throws WhereException if loops need too many steps, so that the value is unknown
   */
  Object value(Columns columns, int i, String type) {
    EventValues event = new EventValues(columns, i, type, fields, variables);
    Object value = value(event);
    if (value == Special.ERROR && event.isTooLong()) {
      throw new WhereException(
          "for event "
              + event.id()
              + " it takes more than "
              + EventValues.ITERATIONS_MAX
              + " steps of all, exists, exists_one, map and filter; ask less of long lists, as in"
              + " size(data.list) <= 100 && data.list.all(...)");
    }
    return value;
  }

  private Object value(EventValues event) {
    try {
      return expression.of(event);
    } catch (IllegalArgumentException e) {
      return Special.ERROR;
    }
  }
}
