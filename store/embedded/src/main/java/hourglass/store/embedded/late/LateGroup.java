package hourglass.store.embedded.late;

import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import hourglass.store.embedded.late.DuplicateLookup.Duplicates;
import java.util.ArrayList;
import java.util.List;

/**
 * The late arrivals of the group of the log that is being written: from its begin, which holds the
 * settled tick, until it is visible or given up. Not thread-safe.
 */
public final class LateGroup {
  private final LateArrivalDetector detector;
  private final LateArrivalIndex index;
  private final SettleClock clock;
  private List<LateArrival> late = new ArrayList<>();
  private long reservedBytes;
  private long group;

  public LateGroup(LateArrivalDetector detector, LateArrivalIndex index, SettleClock clock) {
    this.detector = detector;
    this.index = index;
    this.clock = clock;
  }

  /** Begins a group, in which columns may be late only if it has writes. */
  public void begin(long number, boolean hasWrites) {
    group = number;
    late = new ArrayList<>();
    reservedBytes = 0;
    if (hasWrites) {
      detector.begin(clock.begin());
    } else {
      // Other commands are frequent, so a clock that was set back is noticed without writes too.
      clock.clockBehind();
      detector.begin(Long.MIN_VALUE);
    }
  }

  /**
   * Returns the late columns of a write, which are to be logged with it.
   *
   * @param bytes reserved in the memory budget for them
   */
  public List<LateColumns> add(List<Mutation> mutations, Duplicates duplicates, long bytes) {
    reservedBytes += bytes;
    List<LateColumns> found = detector.add(mutations, duplicates);
    for (LateColumns columns : found) {
      late.add(columns.at(new LateArrivalPlace(group, late.size())));
    }
    return found;
  }

  /** Notes that the group is durable in a segment. */
  public void logged(long segment) {
    index.add(late, segment, reservedBytes);
  }

  /** Notes that the columns of the group are visible. */
  public void shown() {
    index.settle();
    clock.end();
  }

  /** Notes that the group failed, and was cut off. */
  public void abandoned() {
    clock.end();
  }
}
