package hourglass.bucketing.planner;

import java.util.function.LongSupplier;

/** What all hours and types of one writer have in common. */
record Claimant(
    String writer, PlannerOptions options, RowNumbers numbers, LongSupplier clockMillis) {
  long nowMillis() {
    return clockMillis.getAsLong();
  }
}
