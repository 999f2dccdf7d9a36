package hourglass.query.where;

/** A part of an expression, which has one value for each event. Immutable. */
@FunctionalInterface
interface Expression {
  /** Returns a value of CEL, or {@link Special#ERROR} if there is none. */
  Object of(EventValues event);
}
