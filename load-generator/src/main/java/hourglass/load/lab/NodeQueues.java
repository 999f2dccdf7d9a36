package hourglass.load.lab;

import java.util.Arrays;

/**
 * A model of how long writes wait: each node takes one after the other, at a pace of its own, and a
 * write is done when all nodes that keep its row have done it. Not for several threads.
 */
final class NodeQueues {
  private final double serviceNanos;
  private final double[] freeNanos;

  NodeQueues(int nodes, double writesPerSecond) {
    serviceNanos = 1e9 / writesPerSecond;
    freeNanos = new double[nodes];
  }

  /**
   * Takes a write.
   *
   * @param atNanos time of arrival; never falls
   * @return from coming to done
   */
  long write(long atNanos, int[] nodes) {
    double done = (double) atNanos;
    for (int node : nodes) {
      freeNanos[node] = Math.max(freeNanos[node], (double) atNanos) + serviceNanos;
      done = Math.max(done, freeNanos[node]);
    }
    return (long) done - atNanos;
  }

  /** When the last write is done. */
  long idleNanos() {
    return (long) Arrays.stream(freeNanos).max().orElse(0);
  }
}
