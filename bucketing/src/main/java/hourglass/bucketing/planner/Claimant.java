package hourglass.bucketing.planner;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What all hours and types of one writer have in common. */
record Claimant(
    String writer,
    PlannerOptions options,
    RowNumbers numbers,
    LongSupplier clockMillis,
    LongSupplier nanoTime) {
  Moment now() {
    return new Moment(TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong()), clockMillis.getAsLong());
  }
}
