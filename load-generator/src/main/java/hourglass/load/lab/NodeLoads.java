package hourglass.load.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The writes and bytes by node: of the whole run, by second, and by interval for charts. Not
 * thread-safe.
 */
final class NodeLoads {
  /**
   * The fewest writes for each node in a second that counts. With fewer, a second shows chance
   * rather than the layout.
   */
  static final int WRITES_OF_A_SECOND_MIN = 20;

  final int intervalSeconds;
  final long[] writes;
  final long[] bytes;

  final List<long[]> intervals = new ArrayList<>();

  private final long[] inSecond;
  private int second;
  private long wholeSecondWrites;

  /** The worst {@link #maxOverMean} of a second with enough writes, or NaN if there is none. */
  double worstSecond = Double.NaN;

  /** The worst second, counted from the start, or -1 if there is none. */
  int worstSecondAt = -1;

  NodeLoads(int nodes, int intervalSeconds) {
    this.intervalSeconds = intervalSeconds;
    writes = new long[nodes];
    bytes = new long[nodes];
    inSecond = new long[nodes];
  }

  /**
   * Adds writes of one row.
   *
   * @param atSecond a second that is not before that of the last call
   * @param nodes all nodes that store the row
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

  /**
   * Ends the last second. It cannot be the worst one if it has fewer than half of the writes of the
   * second before.
   */
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

  /** Returns the ratio of the largest load to the mean, or NaN without loads. */
  static double maxOverMean(long[] loads) {
    long sum = Arrays.stream(loads).sum();
    long max = Arrays.stream(loads).max().orElse(0);
    return sum == 0 ? Double.NaN : (double) max * loads.length / sum;
  }
}
