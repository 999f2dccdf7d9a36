package hourglass.load.send;

import hourglass.load.client.ServerMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a run.
 *
 * @param seconds from the first batch to the last answer
 * @param clientCpuSeconds of this process, over the same time
 * @param before the target's metrics just before the first batch
 * @param after the same once it has settled
 * @param stopped why the run ended early, or null
 */
public record RunResult(
    Tally tally,
    BatchOutcomes outcomes,
    double seconds,
    double settleSeconds,
    double clientCpuSeconds,
    ServerMetrics before,
    ServerMetrics after,
    @Nullable String stopped) {
  public long accepted() {
    return tally.accepted.sum();
  }

  public double eventsPerSecond() {
    return accepted() / seconds;
  }

  public double megabytesPerSecond() {
    return tally.bytes.sum() / 1e6 / seconds;
  }

  public double clientCpuPerMillion() {
    return clientCpuSeconds / accepted() * 1e6;
  }

  public @Nullable Double serverCpuPerMillion() {
    Double from = before.cpuSeconds();
    Double to = after.cpuSeconds();
    boolean restarted = from != null && to != null && to < from; // begins anew with the process
    return from == null || to == null || restarted || accepted() == 0
        ? null
        : (to - from) / accepted() * 1e6;
  }

  @Nullable Double diskBytesPerEvent() {
    Double from = before.diskBytes();
    Double to = after.diskBytes();
    return from == null || to == null || accepted() == 0 ? null : (to - from) / accepted();
  }

  /** Whether every event got its verdict. */
  public boolean complete() {
    return stopped == null && tally.unknown.sum() == 0 && tally.givenUp.sum() == 0;
  }
}
