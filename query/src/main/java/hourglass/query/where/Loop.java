package hourglass.query.where;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A macro over the elements of a list, or over the keys of a map, as the parser expands it.
 *
 * <pre>
 * data.l.exists(i, i > 5)
 *     result = false; for each i, while !result:  result = result || i > 5
 * </pre>
 *
 * @param item the number of the variable for the element
 * @param resultSoFar the number of the variable that the steps change
 * @param isLogical whether the step is {@code &&} or {@code ||}, so that a later step may decide in
 *     spite of an error
 */
record Loop(
    Expression range,
    Expression start,
    Expression goesOn,
    Expression step,
    Expression result,
    int item,
    int resultSoFar,
    boolean isLogical)
    implements Expression {

  @Override
  public Object of(EventValues event) {
    Collection<?> items = items(range.of(event));
    if (items == null) {
      return Special.ERROR;
    }
    event.set(resultSoFar, start.of(event));
    for (Object element : items) {
      if (!event.step()) {
        return Special.ERROR;
      }
      event.set(item, element);
      if (!Boolean.TRUE.equals(goesOn.of(event))) {
        break;
      }
      Object next = step.of(event);
      if (next == Special.ERROR && !isLogical) {
        return next;
      }
      event.set(resultSoFar, next);
    }
    return result.of(event);
  }

  private static @Nullable Collection<?> items(Object range) {
    if (range instanceof List<?> list) {
      return list;
    }
    return range instanceof Map<?, ?> map ? map.keySet() : null;
  }
}
