package hourglass.load.canary;

import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.command.Range;
import hourglass.load.client.Destination;
import hourglass.load.client.TargetClient;
import hourglass.load.client.TargetOptions;
import hourglass.load.command.LoadTask;
import hourglass.load.send.Latencies;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "canary",
    description = {
      "Writes a few events of its own type beside the traffic, for hours or days, and reads them back."
          + " Reports loss, duplicates, wrong order, changes, and the delay until an event is visible.",
      "",
      "SIGTERM or Ctrl-C ends it with the report; a second time, without waiting for the last"
          + " checks. Exit code 1 if an acknowledged event was lost, doubled, out of order or"
          + " changed, could not be checked, or nothing was acknowledged."
    })
public final class CanaryCommand extends LoadTask {
  @Mixin private TargetOptions target;

  @Mixin private CanaryOptions canary;

  @Option(
      names = "--histograms",
      paramLabel = "DIR",
      description = "Writes push.hgrm and visible.hgrm there, in milliseconds.")
  private @Nullable Path histograms;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      description = "Serves /metrics for Prometheus there; 0: any free port. Default: not at all.")
  @Range("0 to 65535")
  private @Nullable Integer metricsPort;

  @Option(names = "--metrics-host", paramLabel = "HOST", description = "The address it listens at.")
  private String metricsHost = "127.0.0.1";

  @Override
  protected boolean run() throws IOException, InterruptedException {
    check();
    ProgressLine progress = ProgressLine.onForLong(err());
    CanaryTally tally = new CanaryTally(progress, nanos);
    CanaryEvents events = CanaryEvents.ofNewRun(canary.type);
    try (TargetClient client = target.client(canary.connections + 2, environment);
        Destination destination = target.destination(client, "none", canary.giveUpAfter)) {
      CanaryRun run = new CanaryRun(canary, events, client, destination, tally, clock, nanos);
      String stranger = run.reader.stranger();
      require(
          stranger == null,
          "--type",
          canary.type,
          "a type without other events; this one has " + stranger);
      destination.prepare(progress);
      onSignal.accept(run::stop);
      progress.say(
          "canary: run %s, %s events a second of type %s"
              .formatted(events.run(), FigureText.decimal(canary.rate), canary.type));
      report(events, tally, run(run, tally, progress));
    }
    return tally.passed();
  }

  private void check() {
    target.check(this);
    canary.check(this);
    requireFolder("--histograms", histograms);
  }

  private double run(CanaryRun run, CanaryTally tally, ProgressLine progress)
      throws InterruptedException {
    Integer port = metricsPort;
    try (MetricsPage page =
            port == null ? null : new MetricsPage(metricsHost, port, tally.meters::metrics);
        ProgressLine.Watch watch =
            progress.watch(() -> tally.line(run.ledger.oldestUnseenSeconds()))) {
      if (page != null) {
        progress.say("canary: metrics at http://%s:%d/metrics".formatted(metricsHost, page.port()));
      }
      return run.run();
    }
  }

  private void report(CanaryEvents events, CanaryTally tally, double seconds) throws IOException {
    JsonObject settings =
        figures("--type", "--rate", "--for", "--events", "--connections", "--give-up-after")
            .mergeIn(
                figures("--look-every", "--window", "--settle", "--query-target", "--timeout"));
    JsonObject figures =
        new JsonObject()
            .put("scenario", "canary")
            .put("target", target.text())
            .put("run_id", events.run())
            .put("settings", settings)
            .put("run", tally.figures(seconds));
    // The report is printed before the files are written, because a full disk must not lose the
    // results of days.
    out().println("canary to " + target.text());
    out().print(tally.text(seconds));
    out().flush();
    target.client.json.write(figures);
    if (histograms != null) {
      Files.createDirectories(histograms);
      Histogram visible = tally.visibleSinceAcknowledged.micros();
      Files.write(histograms.resolve("push.hgrm"), Latencies.distribution(tally.push.micros()));
      Files.write(histograms.resolve("visible.hgrm"), Latencies.distribution(visible));
    }
  }
}
