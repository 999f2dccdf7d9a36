package hourglass.load.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes and bytes by node: in all, in each second, and in intervals of some seconds for pictures.
 * Not for several threads.
 */
final class NodeLoads {
  /** With fewer writes a node, a second says more of chance than of the layout. */
  static final int WRITES_OF_A_SECOND_MIN = 20;

  private final int intervalSeconds;
  private final long[] writes;
  private final long[] bytes;
  private final List<long[]> intervals = new ArrayList<>();
  private final long[] inSecond;
  private int second;
  private long wholeSecondWrites;
  private double worstSecond = Double.NaN;
  private int worstSecondAt = -1;

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
  void add(int atSecond, int[] nodes, int payloadBytes) {
    if (atSecond != second) {
      endSecond();
      second = atSecond;
    }
    for (int node : nodes) {
      writes[node]++;
      bytes[node] += payloadBytes;
      inSecond[node]++;
    }
  }

  /**
   * Counts the second of the last write. Half of one, in which the load ended, is no second by
   * itself: it has a few dealings of the rows only. It counts in sums and pictures.
   */
  void end() {
    if (2 * Arrays.stream(inSecond).sum() >= wholeSecondWrites) {
      judgeSecond();
    }
    gatherSecond();
  }

  private void endSecond() {
    judgeSecond();
    wholeSecondWrites = Arrays.stream(inSecond).sum();
    gatherSecond();
  }

  private void judgeSecond() {
    long sum = Arrays.stream(inSecond).sum();
    if (sum >= (long) WRITES_OF_A_SECOND_MIN * inSecond.length) {
      double ratio = maxOverMean(inSecond);
      if (worstSecondAt < 0 || ratio > worstSecond) {
        worstSecond = ratio;
        worstSecondAt = second;
      }
    }
  }

  private void gatherSecond() {
    int interval = second / intervalSeconds;
    while (intervals.size() <= interval) {
      intervals.add(new long[inSecond.length]);
    }
    for (int node = 0; node < inSecond.length; node++) {
      intervals.get(interval)[node] += inSecond[node];
      inSecond[node] = 0;
    }
  }

  /** The most of a node over the mean of all; not a number where there is nothing. */
  static double maxOverMean(long[] loads) {
    long sum = Arrays.stream(loads).sum();
    long max = Arrays.stream(loads).max().orElse(0);
    return sum == 0 ? Double.NaN : (double) max * loads.length / sum;
  }

  long[] writes() {
    return writes;
  }

  long[] bytes() {
    return bytes;
  }

  /**
   * The worst {@link #maxOverMean} of a second with {@link #WRITES_OF_A_SECOND_MIN} writes a node
   * or more, {@link #end} aside; not a number if there is none.
   */
  double worstSecond() {
    return worstSecond;
  }

  /** Which second that was, since the start; -1 if there is none. */
  int worstSecondAt() {
    return worstSecondAt;
  }

  int intervalSeconds() {
    return intervalSeconds;
  }

  /** The writes of each interval by node. */
  List<long[]> intervals() {
    return intervals;
  }
}
