package hourglass.query.count;

import hourglass.query.BadParameterException;
import hourglass.query.Stats;
import hourglass.query.StatsQuery;
import hourglass.query.scan.StoreAccess;
import hourglass.query.values.NumberTally;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Summarizes the numbers of a {@link StatsQuery}. Thread-safe. */
public final class StatsCount {
  private final StatsQuery query;
  private final StoreAccess access;
  private final AtomicLong bytes = new AtomicLong();

  /** Guarded by this. */
  private final TreeMap<String, NumberTally> byName = new TreeMap<>();

  private StatsCount(StatsQuery query, StoreAccess access) {
    this.query = query;
    this.access = access;
    if (!query.byType()) {
      byName.put("", new NumberTally());
    }
  }

  public static CompletionStage<Stats> run(StatsQuery query, FieldPass pass, StoreAccess access) {
    StatsCount count = new StatsCount(query, access);
    return pass.run(count::batch).thenApply(done -> count.toStats());
  }

  private synchronized FieldBatch batch(String type) {
    NumberTally tally =
        byName.computeIfAbsent(query.byType() ? type : "", absent -> new NumberTally());
    return new NumberBatch(query.path(), tally, access.gone(), this::grow);
  }

  private void grow(long more) {
    access.account().take(more);
    int bytesMax = access.options().statsBytes();
    if (bytes.addAndGet(more) > bytesMax) {
      throw new BadParameterException(
          "field: the numbers of data.%s take more than %d bytes to sum up; want fewer types%s"
              .formatted(
                  query.path(), bytesMax, query.byType() ? ", or no by" : " or a shorter range"));
    }
  }

  private synchronized Stats toStats() {
    List<Stats.Series> all = new ArrayList<>(byName.size());
    byName.forEach((type, tally) -> all.add(new Stats.Series(type, tally.summary())));
    all.removeIf(series -> query.byType() && series.summary().events() == 0);
    return new Stats(query.path(), all);
  }
}
