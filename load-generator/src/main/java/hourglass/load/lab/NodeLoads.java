package hourglass.load.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes and bytes by node: in all, by second, and by interval for charts. Not for several threads.
 */
final class NodeLoads {
  /** With fewer writes a node, a second shows more of chance than of the layout. */
  static final int WRITES_OF_A_SECOND_MIN = 20;

  final int intervalSeconds;
  final long[] writes;
  final long[] bytes;

  final List<long[]> intervals = new ArrayList<>();

  private final long[] inSecond;
  private int second;
  private long wholeSecondWrites;

  /** The worst {@link #maxOverMean} of a second with enough writes; not a number without one. */
  double worstSecond = Double.NaN;

  /** Counted from the start; -1 if there is none. */
  int worstSecondAt = -1;

  NodeLoads(int nodes, int intervalSeconds) {
    this.intervalSeconds = intervalSeconds;
    writes = new long[nodes];
    bytes = new long[nodes];
    inSecond = new long[nodes];
  }

  /**
   * @param atSecond never falls
   * @param nodes all that keep the row
   */
  void add(int atSecond, int[] nodes, long count, long payloadBytes) {
    if (atSecond != second) {
      wholeSecondWrites = Arrays.stream(inSecond).sum();
      endSecond(true);
      second = atSecond;
    }
    for (int node : nodes) {
      writes[node] += count;
      bytes[node] += payloadBytes;
      inSecond[node] += count;
    }
  }

  /** If the last second is less than half full, it is not the worst one. */
  void end() {
    endSecond(2 * Arrays.stream(inSecond).sum() >= wholeSecondWrites);
  }

  private void endSecond(boolean isWhole) {
    long sum = Arrays.stream(inSecond).sum();
    double ratio = maxOverMean(inSecond);
    boolean isWorst = worstSecondAt < 0 || ratio > worstSecond;
    if (isWhole && isWorst && sum >= (long) WRITES_OF_A_SECOND_MIN * inSecond.length) {
      worstSecond = ratio;
      worstSecondAt = second;
    }
    int interval = second / intervalSeconds;
    while (intervals.size() <= interval) {
      intervals.add(new long[inSecond.length]);
    }
    Arrays.setAll(intervals.get(interval), node -> intervals.get(interval)[node] + inSecond[node]);
    Arrays.fill(inSecond, 0);
  }

  /** Not a number without loads. */
  static double maxOverMean(long[] loads) {
    long sum = Arrays.stream(loads).sum();
    long max = Arrays.stream(loads).max().orElse(0);
    return sum == 0 ? Double.NaN : (double) max * loads.length / sum;
  }
}
