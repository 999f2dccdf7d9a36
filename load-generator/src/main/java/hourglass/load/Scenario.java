package hourglass.load;

import hourglass.load.client.KafkaTopic;
import hourglass.load.client.TargetClient;
import hourglass.load.client.TargetOptions;
import hourglass.load.command.JsonReport;
import hourglass.load.command.ProgressLine;
import hourglass.load.event.Mapping;
import hourglass.load.send.BatchSource;
import hourglass.load.send.LoadRun;
import hourglass.load.send.LoadSubcommand;
import hourglass.load.send.RunReport;
import hourglass.load.send.SendOptions;
import hourglass.load.send.SendSettings;
import hourglass.load.verify.Faults;
import hourglass.load.verify.SentEvents;
import hourglass.load.verify.Verification;
import hourglass.load.verify.Verifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** For one run of replay or generate. */
record Scenario(LoadSubcommand command, SendOptions send, Mapping mapping) {
  /** Whether every event got its verdict, some were accepted, and all are verified. */
  boolean run(
      String name, BatchSource plain, boolean prepared, Map<String, @Nullable Object> settings)
      throws IOException, InterruptedException {
    ProgressLine progress = ProgressLine.on(command.err());
    if (prepared) {
      progress.say("preparing the batches");
    }
    BatchSource source = send.shaped(plain, prepared);
    SendSettings sending = send.settings(mapping);
    TargetOptions target = command.target;
    try (TargetClient client = target.client(send.connections);
        KafkaTopic topic = target.topic(send.encoding.name(), send.giveUpAfter)) {
      if (topic != null) {
        topic.make(progress);
      }
      Instant firstSent = command.clock.instant();
      RunReport result =
          new LoadRun(
                  client,
                  topic == null ? client : topic,
                  sending,
                  command.settle,
                  command.nanos,
                  progress)
              .run(name, source);
      Verification verification = null;
      if (send.verifies()) {
        BatchSource again = prepared ? source : plain;
        verification =
            new Verifier(client, send.verifyExact, command.nanos, progress, new Faults())
                .verify(
                    new SentEvents(again, mapping, result.tally().outcomes),
                    firstSent,
                    command.clock.instant());
      }
      settings.putAll(send.figures());
      settings.putAll(command.figures("--query-target", "--timeout", "--settle"));
      settings.put("prepared", prepared);
      return report(name, result, verification, settings);
    }
  }

  private boolean report(
      String name,
      RunReport result,
      @Nullable Verification verification,
      Map<String, @Nullable Object> settings)
      throws IOException {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("scenario", name);
    figures.put("target", command.target.text());
    figures.put("settings", settings);
    figures.put("run", result.figures());
    figures.put("verify", verification == null ? null : verification.figures());
    JsonReport.write(command.target.json, figures);
    PrintWriter out = command.out();
    out.println("%s to %s".formatted(name, command.target.text()));
    out.print(result.text(send.idempotencyKey));
    if (verification != null) {
      out.print(verification.text());
    }
    out.flush();
    return result.complete()
        && result.accepted() > 0
        && (verification == null || verification.passed());
  }
}
