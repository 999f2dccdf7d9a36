package hourglass.query.where;

import hourglass.query.filter.Condition;
import hourglass.query.filter.EventParts;
import hourglass.query.filter.Outcomes;

/**
 * A leaf of an expression that is decided by the bytes of fields, or else by the values of the
 * whole event. Immutable.
 *
 * @param bytes the possible outcomes by the bytes of fields
 */
record ValueCondition(Condition bytes, Expression values) implements Condition {
  @Override
  public int outcomes(EventParts event) {
    int possible = bytes.outcomes(event);
    return Outcomes.isKnown(possible) || !(event instanceof WholeEvent whole)
        ? possible
        : outcome(values.of(whole.values));
  }

  private static int outcome(Object value) {
    return value instanceof Boolean known ? Outcomes.of(known) : Outcomes.ERROR;
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
