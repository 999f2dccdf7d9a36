package hourglass.load.send;

import hourglass.load.client.Destination;
import hourglass.load.client.ServerMetrics;
import hourglass.load.client.TargetClient;
import hourglass.load.command.Nanos;
import hourglass.load.command.ProgressLine;
import java.time.Duration;
import java.util.Locale;

/** One measured run: the target's metrics, the sending, a while to settle, the metrics again. */
public final class LoadRun {
  private final TargetClient client;
  private final Destination destination;
  private final SendSettings settings;
  private final Duration settle;
  private final Nanos nanos;
  private final ProgressLine progress;

  public LoadRun(
      TargetClient client,
      Destination destination,
      SendSettings settings,
      Duration settle,
      Nanos nanos,
      ProgressLine progress) {
    this.client = client;
    this.destination = destination;
    this.settings = settings;
    this.settle = settle;
    this.nanos = nanos;
    this.progress = progress;
  }

  public RunResult run(String name, BatchSource source) throws InterruptedException {
    Tally tally = new Tally();
    Sender sender = new Sender(destination, settings, nanos, tally);
    ServerMetrics before = ServerMetrics.of(client);
    double cpu = ProcessCpu.seconds();
    long start = nanos.now();
    try (ProgressLine.Watch watch =
        progress.watch(() -> line(name, tally, source.events(), (nanos.now() - start) / 1e9))) {
      sender.run(source);
    }
    if (tally.accepted.sum() > 0) {
      destination.awaitStored(progress);
    }
    double seconds = Math.max(1, nanos.now() - start) / 1e9;
    double clientCpu = ProcessCpu.seconds() - cpu;
    Thread.sleep(settle.toMillis());
    return new RunResult(
        tally,
        sender.outcomes(),
        seconds,
        settle.toNanos() / 1e9,
        clientCpu,
        before,
        ServerMetrics.of(client),
        sender.stopped());
  }

  /** How far a run is; {@code total} is -1 where it is unknown. */
  private static String line(String name, Tally tally, long total, double seconds) {
    long done = tally.accepted.sum();
    String of = total < 0 ? "" : " of %,d".formatted(total);
    return String.format(
        Locale.ROOT,
        "%s: %,d%s events, %,.0f/s, p99 %.1f ms, errors %,d, retries %,d",
        name,
        done,
        of,
        done / Math.max(seconds, 1e-3),
        tally.latencyMicros.getValueAtPercentile(99) / 1e3,
        tally.errors.total(),
        tally.retries.total());
  }
}
