package hourglass.bucketing.shards;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** The state that all type hours of one writer share. */
record ShardWriter(
    String writer,
    PlannerOptions options,
    ShardChooser numbers,
    LongSupplier clockMillis,
    LongSupplier nanoTime,
    LongAdder groupsBegun,
    LongAdder rowsBegun) {
  void begun(ShardGroup group) {
    groupsBegun.increment();
    rowsBegun.add(group.size());
  }

  CurrentTime now() {
    return new CurrentTime(
        TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong()), clockMillis.getAsLong());
  }
}
