package hourglass.bucketing.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The writes and bytes by node: of the whole run, by second, and by interval for charts. Not
 * thread-safe.
 */
public final class NodeLoads {
  /**
   * The fewest writes for each node in a second that counts. With fewer, a second shows chance
   * rather than the layout.
   */
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

  public NodeLoads(int nodes, int intervalSeconds) {
    this.intervalSeconds = intervalSeconds;
    writes = new long[nodes];
    bytes = new long[nodes];
    inSecond = new long[nodes];
  }

  /**
   * Adds writes of one row.
   *
   * @param atSecond a second from 0 that is not before that of the last call
   * @param nodes all nodes that store the row
   */
  public void add(int atSecond, int[] nodes, long count, long payloadBytes) {
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
  public void end() {
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
  public static double maxOverMean(long[] loads) {
    long sum = Arrays.stream(loads).sum();
    long max = Arrays.stream(loads).max().orElse(0);
    return sum == 0 ? Double.NaN : (double) max * loads.length / sum;
  }

  /** Returns the writes of each node. The array must not be changed, like those below. */
  public long[] writes() {
    return writes;
  }

  public long[] bytes() {
    return bytes;
  }

  public int intervalSeconds() {
    return intervalSeconds;
  }

  /** Returns the writes of each node by interval, without those of a second that has not ended. */
  public List<long[]> intervals() {
    return intervals;
  }

  /** Returns the worst {@link #maxOverMean} of a second with enough writes, NaN if none has. */
  public double worstSecond() {
    return worstSecond;
  }

  /** Returns the worst second, counted from the start, or -1 if there is none. */
  public int worstSecondAt() {
    return worstSecondAt;
  }
}
