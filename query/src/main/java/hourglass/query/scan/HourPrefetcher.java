package hourglass.query.scan;

import hourglass.query.Plan;
import hourglass.query.QueryOptions;
import hourglass.query.scan.HourWalk.HourScan;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prefetches the next hours of a walk. After an hour with too few wanted columns, directories of
 * later hours are requested, twice as many each time, and then first slices. Otherwise, only the
 * next directory is. Used by one thread at a time.
 */
final class HourPrefetcher {
  private static final long ROW_BYTES = 300;

  private final Supplier<@Nullable HourScan> hours;
  private final CostGuard guard;

  private final int hoursMax;

  /** The most bytes of the hours before one whose slices are requested ahead. */
  private final long bytesMax;

  private final Queue<HourScan> ahead = new ArrayDeque<>();

  private int wantedHours = 1;

  /** Each of the {@code hours} has its directory requested; a null hour ends them. */
  HourPrefetcher(Supplier<@Nullable HourScan> hours, CostGuard guard, QueryOptions options) {
    this.hours = hours;
    this.guard = guard;
    // A directory needs several reads of a cluster, and each row in it leads to a slice.
    hoursMax = 2 * options.fanOut();
    // The rest is for the current hour, and for a first prefetched hour that is larger.
    bytesMax = options.bufferBytes() / 4;
  }

  @Nullable HourScan next() {
    HourScan next = ahead.poll();
    if (next == null) {
      next = hours.get();
    }
    request(1);
    return next;
  }

  /** Whether an hour follows the result of {@link #next}. */
  boolean hasNext() {
    return !ahead.isEmpty(); // next() requests at least one hour, if there is one
  }

  private void request(int wanted) {
    while (ahead.size() < wanted) {
      HourScan more = hours.get();
      if (more == null) {
        return;
      }
      ahead.add(more);
    }
  }

  /** Requests directories when the reading of an hour begins; see {@link #prepare}. */
  void entered(Plan hour, long columnsWanted) {
    boolean enough = hour.columns() >= columnsWanted || memory(hour) >= bytesMax;
    // Later directories are likely to be as large as this one.
    long fitting = bytesMax / Math.max(1, ROW_BYTES * hour.rows());
    wantedHours =
        enough ? 1 : (int) Math.max(1, Math.min(fitting, Math.min(2 * wantedHours, hoursMax)));
    long knownColumns =
        ahead.stream()
            .filter(HourScan::isKnown)
            .mapToLong(next -> next.plan().columns())
            .reduce(hour.columns(), Long::sum);
    if (knownColumns < columnsWanted) {
      request(wantedHours);
    }
  }

  /**
   * Requests the first slices of the next hours. Those of {@code left}, the rest of the current
   * hour, are already requested.
   */
  void prepare(Plan left, long columnsWanted) {
    Plan before = left;
    Iterator<HourScan> next = ahead.iterator();
    while (next.hasNext() && before.columns() < columnsWanted && memory(before) < bytesMax) {
      HourScan hour = next.next();
      if (!hour.isKnown() || !guard.mayEnter(hour::planOfAll)) {
        return;
      }
      hour.prepare();
      before = before.plus(hour.plan());
    }
  }

  private static long memory(Plan hour) {
    return hour.columns() * FanOutPlan.columnBytes(hour) + ROW_BYTES * hour.rows();
  }

  void drop() {
    ahead.forEach(HourScan::drop);
  }
}
