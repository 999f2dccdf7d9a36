package hourglass.store.testkit;

import hourglass.bucketing.Ticks;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.Placeholders;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The late arrivals of an {@link OracleStore}, guarded by the lock of the store. */
final class OracleArrivals {
  private final Clock clock;
  private final Duration settle;
  private final List<LateArrival> records = new ArrayList<>();
  private long latestTicks;

  OracleArrivals(Clock clock, Duration settle) {
    this.clock = clock;
    this.settle = settle;
  }

  /**
   * Records the late columns of a write to one row in one record, like an engine.
   *
   * @param rows returns the rows of its type hour before the write
   */
  void add(Mutation mutation, Supplier<List<OracleRow>> rows) {
    long settledTicks = settledTicks();
    List<Column> settled =
        Column.unpack(mutation.columns()).stream()
            .filter(column -> column.name().ticks() < settledTicks)
            .toList();
    if (settled.isEmpty()) {
      return; // most writes; the rows are many
    }
    List<OracleRow> there = rows.get();
    List<Column> late =
        settled.stream()
            .filter(column -> there.stream().noneMatch(row -> row.has(column.name())))
            .map(column -> column.withPayload(""))
            .toList();
    for (int from = 0; from < late.size(); from += LateArrival.NAMES_MAX) {
      int to = Math.min(late.size(), from + LateArrival.NAMES_MAX);
      LateArrivalPlace place = new LateArrivalPlace(1, records.size() + 1L);
      records.add(new LateArrival(place, mutation.row(), Column.pack(late.subList(from, to))));
    }
  }

  private long settledTicks() {
    latestTicks = Math.max(latestTicks, Ticks.of(clock.instant()));
    return latestTicks - settle.toMillis() * Ticks.PER_MILLI;
  }

  LateArrivals after(LateArrivalPlace after, int namesMax) {
    LateArrivalPlace end =
        records.isEmpty() ? LateArrivalPlace.START : records.get(records.size() - 1).place();
    if (after.equals(LateArrivalPlace.NEWEST)) {
      return new LateArrivals(List.of(), end, List.of(), false, false, settledTicks());
    }
    boolean truncated = after.compareTo(end) > 0;
    List<LateArrival> behind =
        records.stream()
            .filter(record -> truncated || record.place().compareTo(after) > 0)
            .toList();
    List<LateArrival> settled = upTo(namesMax, behind);
    boolean more = settled.size() < behind.size();
    LateArrivalPlace settledEnd = more ? settled.get(settled.size() - 1).place() : end;
    return new LateArrivals(settled, settledEnd, List.of(), more, truncated, settledTicks());
  }

  /** Ends with the record that reaches {@code namesMax} names. */
  private static List<LateArrival> upTo(int namesMax, List<LateArrival> some) {
    int count = 0;
    for (int names = 0; count < some.size() && names < namesMax; count++) {
      names += some.get(count).names().size();
    }
    return some.subList(0, count);
  }

  /** Replaces erased names. */
  void erase(ErasedRow erased) {
    records.replaceAll(
        record ->
            record.row().typeHour().equals(erased.row().typeHour())
                ? new LateArrival(
                    record.place(),
                    record.row(),
                    Placeholders.replace(record.names(), erased.names()::contains))
                : record);
  }

  void clear() {
    records.clear();
  }
}
