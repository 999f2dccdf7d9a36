package hourglass.query.service;

import hourglass.bucketing.Hour;
import hourglass.query.EventQuery;
import hourglass.query.Plan;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.scan.StoreAccess;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An estimate whether a query needs only milliseconds, from the directories of its hours. A query
 * that waits for its place has no thread, so this is made of stages. Thread-safe.
 */
final class SizeEstimate {
  /** The most hours of a small query. A dashboard shows two days at most. */
  private static final int HOURS_MAX = 48;

  /**
   * The most rows of a small query. A count needs some microseconds per row if its pages do not
   * overlap.
   */
  private static final long ROWS_MAX = 4_096;

  /**
   * The most columns of a small query that reads payloads. An expression evaluates this many in
   * some tens of milliseconds.
   */
  private static final long COLUMNS_MAX = 100_000;

  private static final long BYTES_MAX = 16 << 20;

  private final StoreAccess access;
  private final EventQuery query;
  private final boolean readsPayloads;

  // Guarded by this:
  private final Iterator<Hour> hours;
  private Plan sum = Plan.NOTHING;

  private SizeEstimate(
      StoreAccess access, Selection selection, boolean readsPayloads, List<Hour> hours) {
    this.access = access;
    this.readsPayloads = readsPayloads;
    this.hours = hours.iterator();
    query = new EventQuery(selection, Order.ASCENDING, EventQuery.ALL, null);
  }

  /** Fails if a directory cannot be read. */
  static CompletionStage<Boolean> isSmall(
      StoreAccess access, Selection selection, boolean readsPayloads) {
    TimeRange range = selection.range();
    if (range.isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    return access
        .store()
        .hours(range.firstHour(), range.lastHour())
        .thenComposeAsync(
            hours ->
                hours.size() > HOURS_MAX
                    ? CompletableFuture.completedFuture(false)
                    : new SizeEstimate(access, selection, readsPayloads, hours).read(),
            access.lane());
  }

  private CompletionStage<Boolean> read() {
    CompletableFuture<?>[] reads =
        Stream.generate(this::readHours)
            .limit(access.options().fanOut())
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(reads).thenApply(done -> isSmall());
  }

  /** Reads one directory after the other, until none is left or the query is large. */
  private CompletionStage<Void> readHours() {
    Hour hour = next();
    return hour == null
        ? CompletableFuture.completedFuture(null)
        : access
            .store()
            .rows(hour)
            .thenComposeAsync(
                rows -> {
                  add(rows);
                  return readHours();
                },
                access.lane());
  }

  private synchronized @Nullable Hour next() {
    return hours.hasNext() && isSmall() && !access.gone().getAsBoolean() ? hours.next() : null;
  }

  private synchronized void add(List<RowEntry> rows) {
    sum = sum.plus(Plan.ofHour(query, query.selection().of(rows)));
  }

  private synchronized boolean isSmall() {
    return sum.rows() <= ROWS_MAX
        && (!readsPayloads || (sum.columns() <= COLUMNS_MAX && sum.bytes() <= BYTES_MAX));
  }
}
