package hourglass.query.tail;

/**
 * Limits of tails. Immutable; see {@link #DEFAULTS}.
 *
 * @param concurrentMax tails at a time; more are refused with 429
 * @param pollMillis how often the store is asked for news while anybody waits for some
 * @param stepEvents events that are read at a time, at the most
 * @param stepBytes their payloads, about
 * @param stepsKept steps of the common feed that are kept for tails that are a little behind
 * @param lagMillis a tail that was with the others and fell behind by more is told what it missed
 * @param heartbeatMillis a tail without news says so as often
 * @param chunkBytes what one tail holds that its client has yet to take, about
 */
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
   * Tails: a connection, a chunk, and a filter run over every event each. Polls: a quarter of a
   * second is not felt behind a settle delay, and costs a read of each row of the hour. Steps: 32
   * of 1 MiB are shared by all. Heartbeats: well within the idle time of servers and proxies.
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

  /** The same for so many tails. */
  public TailOptions withConcurrentMax(int tails) {
    return new TailOptions(
        tails,
        pollMillis,
        stepEvents,
        stepBytes,
        stepsKept,
        lagMillis,
        heartbeatMillis,
        chunkBytes);
  }
}
