package hourglass.store.cassandra.late;

import hourglass.bucketing.Ticks;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads late arrival records. A record is settled once its place is older than the settle delay. By
 * then its writer has recorded the columns again if they were still unwritten. Thread-safe.
 */
public final class LateArrivalReader {
  private static final Logger log = LoggerFactory.getLogger(LateArrivalReader.class);

  /** Limit of slots read concurrently; most are empty. */
  private static final int SLOTS_MAX = 6;

  private final Clock clock;
  private final long settleTicks;

  /**
   * Tolerated difference between the clocks of processes, and between two readings of one clock.
   */
  private final long apartTicks;

  private final long keepTicks;
  private long latestTicks;

  public LateArrivalReader(Clock clock, Duration settle, Duration keep) {
    this.clock = clock;
    this.settleTicks = settle.toMillis() * Ticks.PER_MILLI;
    this.apartTicks = settleTicks / 4;
    this.keepTicks = keep.toMillis() * Ticks.PER_MILLI;
  }

  /**
   * The current tick. Settled places stay settled unless the clock steps back by more than the
   * tolerance. Writers with correct clocks record nothing for readers that are ahead of them.
   */
  private synchronized long now() {
    long now = Ticks.of(clock.instant());
    long behind = latestTicks - now;
    if (behind > apartTicks) {
      log.warn(
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
    boolean forgotten = ahead || after.high() < now - keepTicks;
    LateArrivalPlace from =
        forgotten ? new LateArrivalPlace(now - keepTicks - 1, Long.MAX_VALUE) : after;
    return read(table, from, new Asked(namesMax, now, end, forgotten));
  }

  private record Asked(int namesMax, long nowTicks, LateArrivalPlace end, boolean forgotten) {}

  private CompletionStage<LateArrivals> read(
      LateArrivalsTable table, LateArrivalPlace from, Asked asked) {
    int first = LateArrivalsTable.slot(from.high());
    // The clocks of writers may be ahead of this one.
    int newest = Math.max(first, LateArrivalsTable.slot(asked.nowTicks() + settleTicks));
    int last = Math.min(newest, first + SLOTS_MAX - 1);
    List<CompletableFuture<List<LateArrival>>> slots = new ArrayList<>();
    for (int slot = first; slot <= last; slot++) {
      slots.add(table.slot(slot, from).toCompletableFuture());
    }
    return CompletableFuture.allOf(slots.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            done -> {
              List<LateArrival> notes = new ArrayList<>();
              slots.forEach(slot -> notes.addAll(slot.join()));
              return lateArrivals(notes, from, last < newest ? last : -1, asked);
            });
  }

  /**
   * @param lastSlot last slot that was read; -1 if no later slot exists
   */
  private LateArrivals lateArrivals(
      List<LateArrival> notes, LateArrivalPlace from, int lastSlot, Asked asked) {
    List<LateArrival> settled = new ArrayList<>();
    List<LateArrival> unsettled = new ArrayList<>();
    int names = 0;
    boolean cut = false;
    for (LateArrival note : notes) {
      if (note.place().compareTo(asked.end()) > 0) {
        unsettled.add(note);
      } else if (names >= asked.namesMax()) {
        cut = true;
      } else {
        settled.add(note);
        names += note.names().size();
      }
    }
    LateArrivalPlace end =
        lastSlot < 0 ? asked.end() : min(asked.end(), LateArrivalsTable.endOf(lastSlot));
    if (cut) {
      end = settled.get(settled.size() - 1).place();
    }
    boolean more = cut || lastSlot >= 0;
    return new LateArrivals(
        settled,
        end.compareTo(from) < 0 ? from : end,
        more ? List.of() : unsettled,
        more,
        asked.forgotten(),
        asked.nowTicks() - settleTicks);
  }

  private static LateArrivalPlace min(LateArrivalPlace a, LateArrivalPlace b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
