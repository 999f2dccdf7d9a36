package hourglass.bucketing.shards;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** What all hours and types of one writer have in common. */
record Claimant(
    String writer,
    PlannerOptions options,
    RowNumbers numbers,
    LongSupplier clockMillis,
    LongSupplier nanoTime,
    LongAdder roundsBegun,
    LongAdder rowsBegun) {
  void began(Round round) {
    roundsBegun.increment();
    rowsBegun.add(round.size());
  }

  Moment now() {
    return new Moment(TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong()), clockMillis.getAsLong());
  }
}
