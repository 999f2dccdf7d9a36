package hourglass.query.tail;

import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * Limits of tails. Immutable.
 *
 * @param concurrentMax the number of tails beyond which others are refused with 429
 * @param pollMillis interval between reads of the store while any tail waits
 * @param stepBytes approximate payload bytes
 * @param stepsKept in memory, for tails slightly behind
 * @param lagMillis the lag beyond which a tail that was up to date skips events, and reports them
 *     as missed
 * @param chunkBytes approximate memory for data that a client has not read
 */
@RecordBuilder
public record TailOptions(
    int concurrentMax,
    long pollMillis,
    int stepEvents,
    int stepBytes,
    int stepsKept,
    long lagMillis,
    long heartbeatMillis,
    int chunkBytes) {

  /**
   * The default limits.
   *
   * <p>Each tail costs a connection, a chunk, and the evaluation of its filter on every event. A
   * poll reads each row of the hour; a quarter of a second is not noticed after a settle delay. All
   * tails share 32 steps of 1 MiB. Heartbeats are frequent enough for the idle timeouts of proxies.
   */
  public static final TailOptions DEFAULTS =
      new TailOptions(64, 250, 4_096, 1 << 20, 32, 60_000, 15_000, 64 << 10);

  public TailOptions {
    check("concurrentMax", concurrentMax, 1, 10_000);
    check("pollMillis", pollMillis, 1, 60_000);
    check("stepEvents", stepEvents, 1, 1 << 20);
    check("stepBytes", stepBytes, 1, 1 << 26);
    check("stepsKept", stepsKept, 1, 10_000);
    check("lagMillis", lagMillis, 1, 86_400_000);
    check("heartbeatMillis", heartbeatMillis, 1, 3_600_000);
    check("chunkBytes", chunkBytes, 1 << 10, 1 << 24);
  }

  private static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "tail option " + name + ": " + value + ", want " + min + " to " + max);
    }
  }

  public TailOptions withConcurrentMax(int tails) {
    return TailOptionsBuilder.builder(this).concurrentMax(tails).build();
  }
}
