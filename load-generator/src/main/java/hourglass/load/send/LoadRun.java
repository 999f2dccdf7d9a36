package hourglass.load.send;

import com.sun.management.OperatingSystemMXBean;
import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.load.client.Destination;
import hourglass.load.client.ServerMetrics;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.Nanos;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One measured run: it reads metrics, sends all batches, waits for the target to settle, and reads
 * metrics again.
 */
public record LoadRun(
    TargetClient client,
    Destination destination,
    SendSettings settings,
    Duration settle,
    Nanos nanos,
    ProgressLine progress,
    Consumer<Runnable> onSignal) {
  /** The reason of a run that a signal ended. */
  public static final String SIGNAL = "by a signal: the figures are of the run so far, unverified";

  private static final int BAR = 20;

  /** The longest failure in the line of progress, so that the line mostly fits on a terminal. */
  private static final int FAILURE_CHARS_MAX = 120;

  /** Measures a run, with a line of progress that shows its pace; see {@link #send}. */
  public RunReport run(String name, BatchSource source) throws InterruptedException {
    ServerMetrics before = ServerMetrics.of(client);
    long start = nanos.now();
    Tally tally = new Tally(start);
    Supplier<String> line = () -> line(name, tally, source.events(), (nanos.now() - start) / 1e9);
    return measured(source, tally, line, before);
  }

  /** Measures a run; see {@link #send}. */
  public RunReport measured(
      BatchSource source, Tally tally, Supplier<String> line, ServerMetrics before)
      throws InterruptedException {
    double cpu = cpuSeconds();
    long start = nanos.now();
    send(source, tally, line);
    double seconds = Math.max(1, nanos.now() - start) / 1e9;
    double clientCpu = cpuSeconds() - cpu;
    Thread.sleep(settle.toMillis());
    ServerMetrics after = ServerMetrics.of(client);
    double rate = settings.ratePerSecond();
    return new RunReport(tally, rate, seconds, settle.toNanos() / 1e9, clientCpu, before, after);
  }

  /**
   * Sends all batches and returns after the last answer. A signal ends the run after the requests
   * under way; a second one ends the process.
   *
   * @throws LoadFailure if the source cannot be read
   */
  public void send(BatchSource source, Tally tally, Supplier<String> line)
      throws InterruptedException {
    onSignal.accept(
        () -> {
          if (!tally.signal.stop(SIGNAL)) {
            Runtime.getRuntime().halt(1);
          }
        });
    try (ProgressLine.Watch watch = progress.watch(line)) {
      new Sender(destination, settings, nanos, tally).run(source);
    }
    if (tally.events.accepted.sum() > 0) {
      destination.awaitStored(progress);
    }
  }

  /** Returns a bar, the percentage, and the time left if the pace stays the same. */
  private static String share(long done, long total, double seconds) {
    int full = (int) (BAR * done / total);
    String left =
        done == 0 ? "" : FigureText.format("%,.0f s left, ", seconds * (total - done) / done);
    return FigureText.format(
        "[%s%s] %d %%, %s", "=".repeat(full), " ".repeat(BAR - full), 100 * done / total, left);
  }

  private static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
        ? os.getProcessCpuTime() / 1e9
        : Double.NaN;
  }

  /** Returns the line of progress. {@code total} is -1 if it is unknown. */
  static String line(String name, Tally tally, long total, double seconds) {
    long done = tally.events.accepted.sum();
    String failure = tally.failure();
    int end = Math.min(failure.length(), FAILURE_CHARS_MAX);
    return FigureText.format(
        "%s: %s%,d%s events, %,.0f/s, p99 %.1f ms, errors %,d, retries %,d%s",
        name,
        total <= 0 ? "" : share(done, total, seconds),
        done,
        total < 0 ? "" : FigureText.format(" of %,d", total),
        done / Math.max(seconds, 1e-3),
        tally.latencies.p99Millis(),
        tally.errors.total(),
        tally.retries.total(),
        failure.isEmpty() ? "" : "; " + failure.substring(0, end));
  }
}
