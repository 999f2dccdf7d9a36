package hourglass.query.count;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.query.BadParameterException;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.Plan;
import hourglass.query.TimeRange;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.scan.StoreAccess;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/** Counts the events of a {@link HitsQuery} in steps. Thread-safe. */
public final class HitsCount {
  /** The memory of one count of a row in a map. */
  private static final int COUNT_BYTES = 80;

  /** Without its counts: its entry and its type. */
  private static final int SERIES_BYTES = 200;

  private final HitsQuery query;
  private final EventCounter counter;
  private final int bucketsMax;
  private final AnswerBytes.Account account;

  /** Guarded by this. */
  private final TreeMap<String, long[]> series = new TreeMap<>();

  private HitsCount(HitsQuery query, EventCounter counter, StoreAccess access) {
    this.query = query;
    this.counter = counter;
    bucketsMax = access.options().buckets();
    account = access.account();
    long[] first = counts(); // refuses too many steps at once
    if (!query.byType()) {
      series.put("", first);
    }
  }

  public static CompletionStage<Hits> run(
      HitsQuery query, EventCounter counter, StoreAccess access) {
    HitsCount count = new HitsCount(query, counter, access);
    return counter.forEachType(query.selection(), count::count).thenApply(done -> count.toHits());
  }

  private CompletionStage<?> count(List<RowEntry> rows) {
    RowKey row = rows.get(0).row();
    TimeRange range = query.selection().range();
    long columns = Plan.of(rows).columns();
    long steps = Math.min(Math.min(columns, query.steps()), Ticks.PER_HOUR / query.stepTicks() + 1);
    return account
        .during(
            COUNT_BYTES * steps,
            () ->
                counter.count(
                    rows, range.within(row.hour()), range.fromTicks(), query.stepTicks(), false))
        .thenAccept(counted -> add(query.byType() ? row.type() : "", counted));
  }

  private long[] counts() {
    if ((series.size() + 1) * query.steps() > bucketsMax) {
      throw new BadParameterException(
          "step: %d ms makes more than %d counts over the range; want a longer step, a shorter"
                  .formatted(query.stepMillis(), bucketsMax)
              + " range or fewer types");
    }
    account.take(SERIES_BYTES + Long.BYTES * query.steps());
    return new long[Math.toIntExact(query.steps())];
  }

  private synchronized void add(String type, RowCounts more) {
    if (more.columns() > 0) {
      long[] counts = series.computeIfAbsent(type, absent -> counts());
      more.columnsByStep().forEach((step, columns) -> counts[step] += columns);
    }
  }

  private synchronized Hits toHits() {
    List<Hits.Series> all = new ArrayList<>(series.size());
    series.forEach((type, counts) -> all.add(new Hits.Series(type, counts)));
    return new Hits(query.selection().range(), query.stepMillis(), all);
  }
}
