package hourglass.store.cassandra.late;

import hourglass.bucketing.Ticks;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.cassandra.driver.Futures;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads late arrival records. A record is settled once its place is older than the settle delay. By
 * then its writer has recorded columns again that were still unwritten. Thread-safe.
 */
public final class SlotReader {
  private static final Logger logger = LoggerFactory.getLogger(SlotReader.class);

  /** The most slots that are read at once; most are empty. */
  private static final int SLOTS_MAX = 6;

  private final Clock clock;
  private final long settleTicks;

  /** Tolerated between the clocks of processes, and between two readings of one clock. */
  private final long apartTicks;

  private final long keepTicks;
  private long latestTicks;

  public SlotReader(Clock clock, Duration settle, Duration keep) {
    this.clock = clock;
    this.settleTicks = settle.toMillis() * Ticks.PER_MILLI;
    this.apartTicks = settleTicks / 4;
    this.keepTicks = keep.toMillis() * Ticks.PER_MILLI;
  }

  /**
   * Settled places stay settled unless the clock steps back by more than the tolerance. Writers
   * with correct clocks record nothing for readers that are ahead of them.
   */
  private synchronized long now() {
    long now = Ticks.of(clock.instant());
    long behind = latestTicks - now;
    if (behind > apartTicks) {
      logger.warn(
          "the clock was set back by {} ms: tails go on from there with a gap, and events may come"
              + " again",
          behind / Ticks.PER_MILLI);
      latestTicks = now;
    }
    latestTicks = Math.max(latestTicks, now);
    return latestTicks;
  }

  public CompletionStage<LateArrivals> read(
      LateArrivalsTable table, LateArrivalPlace after, int namesMax) {
    long now = now();
    LateArrivalPlace end = new LateArrivalPlace(now - settleTicks - 1, Long.MAX_VALUE);
    if (after.equals(LateArrivalPlace.NEWEST)) {
      return CompletableFuture.completedFuture(
          new LateArrivals(List.of(), end, List.of(), false, false, now - settleTicks));
    }
    // Writers record at their own clocks, so a reader ahead of them has missed records.
    boolean ahead = after.high() > now - settleTicks + apartTicks;
    boolean truncated = ahead || after.high() < now - keepTicks;
    LateArrivalPlace from =
        truncated ? new LateArrivalPlace(now - keepTicks - 1, Long.MAX_VALUE) : after;
    return read(table, from, new Request(namesMax, now, end, truncated));
  }

  private record Request(int namesMax, long nowTicks, LateArrivalPlace end, boolean truncated) {}

  private CompletionStage<LateArrivals> read(
      LateArrivalsTable table, LateArrivalPlace from, Request request) {
    int first = LateArrivalsTable.slot(from.high());
    // The clocks of writers may be ahead of this one.
    int newest = Math.max(first, LateArrivalsTable.slot(request.nowTicks() + settleTicks));
    int last = Math.min(newest, first + SLOTS_MAX - 1);
    return Futures.all(IntStream.rangeClosed(first, last).mapToObj(slot -> table.slot(slot, from)))
        .thenApply(
            slots ->
                lateArrivals(
                    slots.stream().flatMap(List::stream).toList(),
                    from,
                    last < newest ? last : -1,
                    request));
  }

  /** {@code lastSlot} is the last one that was read; -1 if no later slot exists. */
  private LateArrivals lateArrivals(
      List<LateArrival> records, LateArrivalPlace from, int lastSlot, Request request) {
    List<LateArrival> settled = new ArrayList<>();
    List<LateArrival> unsettled = new ArrayList<>();
    int names = 0;
    boolean cut = false;
    for (LateArrival record : records) {
      if (record.place().compareTo(request.end()) > 0) {
        unsettled.add(record);
      } else if (names >= request.namesMax()) {
        cut = true;
      } else {
        settled.add(record);
        names += record.names().size();
      }
    }
    LateArrivalPlace end =
        lastSlot < 0 ? request.end() : min(request.end(), LateArrivalsTable.endOf(lastSlot));
    if (cut) {
      end = settled.get(settled.size() - 1).place();
    }
    boolean more = cut || lastSlot >= 0;
    return new LateArrivals(
        settled,
        end.compareTo(from) < 0 ? from : end,
        more ? List.of() : unsettled,
        more,
        request.truncated(),
        request.nowTicks() - settleTicks);
  }

  private static LateArrivalPlace min(LateArrivalPlace a, LateArrivalPlace b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
