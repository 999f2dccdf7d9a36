package hourglass.query.where;

/** A part of an expression, which has a value for each event. Immutable. */
@FunctionalInterface
interface Expression {
  /** Returns a value of CEL, or {@link Special#ERROR} where it has none. */
  Object of(EventValues event);
}
