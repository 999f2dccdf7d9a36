package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.load.client.KafkaTopic;
import hourglass.load.client.ServerMetrics;
import hourglass.load.client.TargetClient;
import hourglass.load.command.JsonReport;
import hourglass.load.command.Limits;
import hourglass.load.command.ProgressLine;
import hourglass.load.event.Mapping;
import hourglass.load.send.EventShape;
import hourglass.load.send.GenerateOptions;
import hourglass.load.send.GeneratedSource;
import hourglass.load.send.LoadRun;
import hourglass.load.send.LoadSubcommand;
import hourglass.load.send.PreparedSource;
import hourglass.load.send.SendSettings;
import hourglass.load.verify.SentEvents;
import hourglass.load.verify.Verifier;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

  @Option(
      names = "--hours",
      paramLabel = "N",
      description = "Measured hours, after the one that warms up.")
  private int hours = 2;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Connections, each with one request at a time.")
  private int connections = 2;

  @Option(names = "--batch", paramLabel = "N", description = "Events per request.")
  private int batch = 5000;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "How often each query is timed; the median counts.")
  private int repeat = 7;

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
    try (TargetClient client = target.client(connections);
        KafkaTopic topic = target.topic("none", settings.giveUpAfter())) {
      if (topic != null) {
        topic.make(progress);
      }
      BenchResult result = new BenchResult(generate, connections, batch, repeat);
      for (Hour hour : hours()) {
        progress.say("preparing " + hour);
        LoadRun run =
            new LoadRun(client, topic == null ? client : topic, settings, settle, nanos, progress);
        if (!result.add(hour, run.run(hour.toString(), prepared(hour))).complete()) {
          return report(result);
        }
      }
      progress.say("timing the queries");
      query(client, result);
      if (verify) {
        verify(client, result, progress);
      }
      return report(result);
    }
  }

  private void check() {
    target.check(this);
    generate.check(this);
    requireRange("--hours", hours, 1, 100);
    requireRange("--repeat", repeat, 1, 1000);
    requireRange("--connections", connections, 1, Limits.CONNECTIONS_MAX);
    requireRange("--batch", batch, 1, Limits.BATCH_EVENTS_MAX);
    require(
        generate.late == 0 && generate.outOfOrder == 0,
        "--late, --out-of-order",
        "set",
        "0 in a bench: every hour keeps its own events");
    require(
        generate.fitsPrepared(),
        "--events",
        generate.events,
        "at most %,d MB of events".formatted(PreparedSource.bytesMax() / 1_000_000));
  }

  private List<Hour> hours() {
    Hour first =
        generate.hour != null
            ? generate.hour
            : Hour.of(clock.instant().minus(HOUR.multipliedBy(hours + 1L)));
    List<Hour> all = new ArrayList<>(List.of(first));
    for (int i = 0; i < hours; i++) {
      all.add(all.get(i).next());
    }
    return all;
  }

  /** Only the run may hold it: the next hour needs the memory. */
  private PreparedSource prepared(Hour hour) throws IOException {
    return PreparedSource.of(source(hour), PreparedSource.bytesMax());
  }

  private GeneratedSource source(Hour hour) {
    return generate.source(batch, hour.start(), HOUR);
  }

  private void query(TargetClient client, BenchResult result) {
    Hour last = result.hours().get(result.hours().size() - 1);
    Map<String, Long> counts = client.typeCounts("hour=" + last);
    String type = EventShape.typeNames(1).get(0);
    long ofType = counts.getOrDefault(type, 0L);
    for (BenchQuery query : BenchQuery.of(last, generate.events, type, ofType)) {
      result.queries().add(QueryTiming.of(client, query, repeat, nanos));
    }
    result.afterQueries(ServerMetrics.of(client));
  }

  private void verify(TargetClient client, BenchResult result, ProgressLine progress)
      throws IOException {
    for (int i = 0; i < result.hours().size(); i++) {
      SentEvents sent =
          new SentEvents(
              source(result.hours().get(i)), Mapping.DEFAULT, result.runs().get(i).outcomes());
      Instant now = clock.instant();
      result
          .verifications()
          .add(new Verifier(client, true, nanos, progress).verify(sent, now, now));
    }
  }

  private boolean report(BenchResult result) throws IOException {
    Map<String, @Nullable Object> figures = result.figures(this);
    JsonReport.write(target.json, figures);
    out().print(result.text(target.text()));
    out().flush();
    return result.passed();
  }
}
