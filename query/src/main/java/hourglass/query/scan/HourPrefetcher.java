package hourglass.query.scan;

import hourglass.query.Plan;
import hourglass.query.QueryOptions;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The hours that a walk comes to next, some of them on their way. Where an hour has little of what
 * is wanted, the next ones are asked for together: their directories first, a few at the beginning
 * and twice as many with each hour that brings too little, then their first slices. Where an hour
 * has enough, the directory of the one behind it is all that is asked ahead. An hour that has rows
 * of other types only costs its directory, one that has none nothing. Used by one thread at a time.
 */
final class HourPrefetcher {
  /** Of a row in a directory, about. */
  private static final long ROW_BYTES = 300;

  private final Supplier<@Nullable HourScan> hours;
  private final CostGuard guard;

  /** Directories that are known or asked for ahead, at the most. */
  private final int hoursMax;

  /** What lies before an hour whose slices are asked for ahead, at the most. */
  private final long bytesMax;

  private final Queue<HourScan> ahead = new ArrayDeque<>();

  /** How many directories there are to be now. */
  private int wantedHours = 1;

  /**
   * @param hours gives one after the other, its directory asked for; null after the last
   */
  HourPrefetcher(Supplier<@Nullable HourScan> hours, CostGuard guard, QueryOptions options) {
    this.hours = hours;
    this.guard = guard;
    // A directory is several reads of a cluster, and each asks for as many slices as it tells of.
    hoursMax = 2 * options.fanOut();
    // The rest of the buffer is for the hour that is read, and for the first one that is larger.
    bytesMax = options.bufferBytes() / 4;
  }

  /** The next hour; null if there is none. */
  @Nullable HourScan next() {
    HourScan next = ahead.poll();
    if (next == null) {
      next = hours.get();
    }
    ask(1);
    return next;
  }

  /** Whether there is an hour behind the one that {@link #next} gave. */
  boolean hasNext() {
    return !ahead.isEmpty(); // one at least is asked for, if there is one
  }

  /** Has directories on their way. */
  private void ask(int wanted) {
    while (ahead.size() < wanted) {
      HourScan more = hours.get();
      if (more == null) {
        return;
      }
      ahead.add(more);
    }
  }

  /**
   * Notes what the hour has that is read from now on.
   *
   * @param columnsWanted how many will be taken at the most
   */
  void entered(Plan hour, long columnsWanted) {
    boolean enough = hour.columns() >= columnsWanted || memory(hour) >= bytesMax;
    // The directories of the hours behind are likely to be as large as this one's.
    long fitting = bytesMax / Math.max(1, ROW_BYTES * hour.rows());
    wantedHours =
        enough ? 1 : (int) Math.max(1, Math.min(fitting, Math.min(2 * wantedHours, hoursMax)));
    if (knownColumns(hour) < columnsWanted) {
      ask(wantedHours);
    }
  }

  private long knownColumns(Plan current) {
    return ahead.stream()
        .filter(HourScan::isKnown)
        .mapToLong(hour -> hour.plan().columns())
        .reduce(current.columns(), Long::sum);
  }

  /**
   * Asks for slices of the hours that are needed, by what is known to lie before them.
   *
   * @param left of the hour that is read, which has no slice to ask for
   * @param columnsWanted how many columns will be taken at the most
   */
  void prepare(Plan left, long columnsWanted) {
    Plan before = left;
    Iterator<HourScan> next = ahead.iterator();
    while (next.hasNext() && before.columns() < columnsWanted && memory(before) < bytesMax) {
      HourScan hour = next.next();
      if (!hour.isKnown() || !guard.mayEnter(hour.plan())) {
        return;
      }
      hour.prepare();
      before = before.plus(hour.plan());
    }
  }

  private static long memory(Plan hour) {
    return hour.columns() * FanOutPlan.columnBytes(hour) + ROW_BYTES * hour.rows();
  }

  /** Lets go of all slices. */
  void drop() {
    ahead.forEach(HourScan::stop);
  }
}
