package hourglass.query.filter;

import java.util.function.ToIntFunction;

/**
 * A leaf of a condition that the bytes of fields decide, or else a view of the whole event, such as
 * its values or its line. Immutable.
 *
 * @param <V> the type of the view
 * @param bytes the possible outcomes by the bytes of fields
 * @param test the outcome by the view
 */
public record ViewCondition<V>(Condition bytes, Class<V> view, ToIntFunction<V> test)
    implements Condition {
  @Override
  public int outcomes(EventParts event) {
    int possible = bytes.outcomes(event);
    if (Outcomes.isKnown(possible)) {
      return possible;
    }
    V known = event.view(view);
    return known == null ? possible : test.applyAsInt(known);
  }

  @Override
  public boolean readsPayload() {
    return bytes.readsPayload();
  }

  @Override
  public boolean readsType() {
    return bytes.readsType();
  }

  @Override
  public Condition inStore() {
    return bytes;
  }

  @Override
  public boolean isCostly() {
    return true;
  }
}
