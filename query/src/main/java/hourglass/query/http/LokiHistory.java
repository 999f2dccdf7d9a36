package hourglass.query.http;

import hourglass.query.EventQuery;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.loki.LogFilter;
import hourglass.query.service.QueryService;
import hourglass.store.Order;
import java.time.Clock;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lines with which a tail of Loki begins: those since its start, and of more the newest ones. A
 * search that takes long ends, and the tail begins with what it found.
 *
 * @param startTicks of the tail
 * @param limit of the lines; 0: none
 */
record LokiHistory(LogFilter lines, long startTicks, int limit) {
  /** A user would wait no longer for a first line. */
  private static final long SEARCH_MILLIS = 2_000;

  Selection selection() {
    return selection(TimeRange.ALL);
  }

  private Selection selection(TimeRange range) {
    return new Selection(new TreeSet<>(), range, "", false, "", lines);
  }

  /** True once the tail has {@code ended} or the search took long. */
  BooleanSupplier until(BooleanSupplier ended, Clock clock) {
    long end = clock.millis() + SEARCH_MILLIS;
    return () -> ended.getAsBoolean() || clock.millis() > end;
  }

  /** Where the tail begins; null: now. */
  CompletionStage<@Nullable Long> since(QueryService on) {
    if (limit == 0) {
      return CompletableFuture.completedFuture(null);
    }
    AtomicLong found = new AtomicLong();
    AtomicLong oldest = new AtomicLong(Long.MIN_VALUE);
    Selection selection = selection(new TimeRange(startTicks, TimeRange.ALL.toTicks()));
    EventQuery newest = new EventQuery(selection, Order.DESCENDING, limit, null);
    return on.read(
            newest,
            (type, columns, i) -> {
              found.incrementAndGet();
              oldest.set(columns.ticks(i));
            })
        .handle(
            (facts, failure) -> {
              boolean isWhole = failure == null && found.get() < limit;
              return isWhole
                  ? (Long) startTicks
                  : oldest.get() == Long.MIN_VALUE ? null : (Long) oldest.get();
            });
  }
}
