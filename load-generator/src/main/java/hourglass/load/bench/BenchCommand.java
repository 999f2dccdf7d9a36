package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.command.Range;
import hourglass.load.bench.BenchResult.HourRun;
import hourglass.load.client.Destination;
import hourglass.load.client.ServerMetrics;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadLimits;
import hourglass.load.event.Mapping;
import hourglass.load.send.EventShape;
import hourglass.load.send.GenerateOptions;
import hourglass.load.send.GeneratedSource;
import hourglass.load.send.LoadRun;
import hourglass.load.send.LoadSubcommand;
import hourglass.load.send.PreparedSource;
import hourglass.load.send.RunReport;
import hourglass.load.send.SendSettings;
import hourglass.load.verify.Faults;
import hourglass.load.verify.SentEvents;
import hourglass.load.verify.Verifier;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "bench",
    description =
        "The documented benchmark: the events of one hour to warm up, the same again into each of the"
            + " next hours, then queries over the last. Wants hours that hold nothing yet.")
public final class BenchCommand extends LoadSubcommand {
  private static final Duration HOUR = Duration.ofHours(1);

  @Mixin private GenerateOptions generate;

  @Option(names = "--hours", description = "Measured hours, after the one that warms up.")
  @Range("1 to 100")
  private int hours = 2;

  @Option(names = "--connections", description = "Connections, each with one request at a time.")
  @Range("1 to " + LoadLimits.CONNECTIONS_MAX)
  private int connections = 2;

  @Option(names = "--batch", description = "Events per request.")
  @Range("1 to " + LoadLimits.BATCH_EVENTS_MAX)
  private int batch = 5000;

  @Option(
      names = "--untimed",
      description =
          "How often each query is asked before its last answers are timed, so that its code is"
              + " compiled. The first answer and the next three of these are timed too.")
  @Range("4 to 1000")
  private int untimed = 30;

  @Option(
      names = "--repeat",
      description = "How often each query is timed then; the median counts.")
  @Range("1 to 1000")
  private int repeat = 7;

  @Option(
      names = "--messages",
      description = "Events with a message of twelve words, and questions about words.")
  private boolean messages;

  @Option(
      names = "--verify",
      description = "Reads every hour back when all is measured, and compares.")
  private boolean verify;

  @Override
  protected boolean run() throws IOException, InterruptedException {
    check();
    ProgressLine progress = ProgressLine.on(err());
    SendSettings settings =
        new SendSettings(connections, 0, null, Mapping.DEFAULT, Duration.ofSeconds(60));
    BenchResult result = new BenchResult();
    try (TargetClient client = target.client(connections, environment);
        Destination destination = target.destination(client, "none", settings.giveUpAfter())) {
      destination.prepare(progress);
      LoadRun run = new LoadRun(client, destination, settings, settle, nanos, progress, onSignal);
      for (Hour hour : hours()) {
        if (result.stopped) {
          return report(result);
        }
        progress.say("preparing " + hour);
        // No variable holds the batches, so that they are freed after the run: the next hour needs
        // the memory.
        RunReport report = run.run(hour.toString(), PreparedSource.of(source(hour)));
        onSignal.accept(result::stop);
        result.runs.add(new HourRun(hour, report));
        if (!report.complete()) {
          return report(result);
        }
      }
      progress.say("timing the queries");
      query(client, result);
      if (verify && !result.stopped) {
        verify(client, result, progress);
      }
    }
    return report(result);
  }

  private void check() {
    checkTarget();
    generate.messages = messages;
    generate.check(this);
    require(
        !messages || generate.isOfNaturalSize(),
        "--payload-bytes",
        "given",
        "none with --messages");
    require(
        generate.late == 0 && generate.outOfOrder == 0,
        "--late, --out-of-order",
        "set",
        "0 in a bench: every hour keeps its own events");
    require(
        generate.fitsPrepared(),
        "--events",
        generate.events,
        FigureText.format("at most %,d MB of events", PreparedSource.bytesMax() / 1_000_000));
  }

  private List<Hour> hours() {
    Hour passed = Hour.of(clock.instant().minus(HOUR.multipliedBy(hours + 1L)));
    Hour first = generate.hour == null ? passed : generate.hour;
    return Stream.iterate(first, Hour::next).limit(hours + 1L).toList();
  }

  private GeneratedSource source(Hour hour) {
    return generate.source(batch, hour.start(), HOUR);
  }

  private void query(TargetClient client, BenchResult result) {
    Hour last = result.runs.get(result.runs.size() - 1).hour();
    Hour first = result.runs.get(0).hour();
    long all = generate.events * result.runs.size();
    Stream<BenchQuery> queries =
        messages
            ? MessageQuestions.of(client, first, last, all).stream()
            : questions(client, first, last, all);
    queries
        .takeWhile(query -> !result.stopped)
        .map(query -> query.time(client, untimed, repeat, () -> result.stopped, nanos))
        .forEach(result.queries::add);
    result.afterQueries = ServerMetrics.of(client);
  }

  private Stream<BenchQuery> questions(TargetClient client, Hour first, Hour last, long all) {
    String type = EventShape.typeNames(1).get(0);
    long ofType = client.typeCounts("hour=" + last).getOrDefault(type, 0L);
    return Stream.of(
            BenchQuery.of(last, generate.events, type, ofType),
            BenchQuery.ofFields(client, last, generate.events),
            BenchQuery.ofAll(client, first, last, all))
        .flatMap(List::stream);
  }

  private void verify(TargetClient client, BenchResult result, ProgressLine progress)
      throws IOException {
    for (HourRun run : result.runs) {
      if (result.stopped) {
        return;
      }
      SentEvents sent =
          new SentEvents(source(run.hour()), Mapping.DEFAULT, run.report().tally().outcomes);
      Instant now = clock.instant();
      result.verifications.add(
          new Verifier(client, true, nanos, progress, new Faults()).verify(sent, now, now));
    }
  }

  private boolean report(BenchResult result) throws IOException {
    JsonObject settings =
        generate
            .figures()
            .mergeIn(figures("--query-target", "--timeout", "--settle"))
            .put("connections", connections)
            .put("batch_events", batch)
            .put("untimed", untimed)
            .put("repeat", repeat);
    JsonObject figures =
        new JsonObject()
            .put("scenario", "bench")
            .put("target", target.text())
            .put("settings", settings)
            .mergeIn(result.figures());
    target.client.json.write(figures);
    String title =
        FigureText.format(
            "bench at %s: %,d events an hour, %d types (Zipf %.1f), batches of %,d, %d connections",
            target.text(), generate.events, generate.types, generate.skew, batch, connections);
    out().print(result.text(title, untimed, repeat));
    out().flush();
    JsonObject page =
        new JsonObject()
            .put("title", title)
            .put("settings", settings)
            .put("result", result.figures());
    html.write(BenchCommand.class, "bench.js", page);
    return result.passed();
  }
}
