package hourglass.load;

import hourglass.command.ProgressLine;
import hourglass.load.client.Destination;
import hourglass.load.client.TargetClient;
import hourglass.load.command.ReportLines;
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
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** A subcommand that sends the batches of a source, and verifies them on request. */
abstract class SendTask extends LoadSubcommand {
  /**
   * Runs the scenario. Returns whether the run {@link #passes}, and its verification if there was
   * one.
   */
  boolean run(
      String name,
      BatchSource plain,
      Mapping mapping,
      SendOptions send,
      boolean prepared,
      JsonObject settings)
      throws IOException, InterruptedException {
    ProgressLine progress = ProgressLine.on(err());
    if (prepared) {
      progress.say("preparing the batches");
    }
    BatchSource source = send.shaped(plain, prepared);
    SendSettings sending = send.settings(mapping);
    try (TargetClient client = target.client(send.connections, environment);
        Destination destination =
            target.destination(client, send.encoding.name(), send.giveUpAfter)) {
      destination.prepare(progress);
      Instant firstSent = clock.instant();
      RunReport result =
          new LoadRun(client, destination, sending, settle, nanos, progress, onSignal)
              .run(name, source);
      String title = "%s to %s".formatted(name, target.text());
      ReportLines lines = result.lines(send.idempotencyKey);
      out().println(title);
      out().print(lines);
      out().flush();
      onSignal.accept(() -> Runtime.getRuntime().halt(1)); // the report is printed
      Verification verification = null;
      if (send.verifies() && !LoadRun.SIGNAL.equals(result.tally().signal.reason())) {
        BatchSource again = prepared ? source : plain;
        SentEvents sent = new SentEvents(again, mapping, result.tally().outcomes);
        verification =
            new Verifier(client, send.verifyExact, nanos, progress, new Faults())
                .verify(sent, firstSent, clock.instant());
      }
      settings
          .mergeIn(send.figures())
          .mergeIn(figures("--query-target", "--timeout", "--settle"))
          .put("prepared", prepared);
      JsonObject figures =
          new JsonObject()
              .put("scenario", name)
              .put("target", target.text())
              .put("settings", settings)
              .put("run", result.figures())
              .put("verify", verification == null ? null : verification.figures());
      target.client.json.write(figures);
      List<List<String>> verified = verification == null ? List.of() : verification.lines().rows();
      figures.put("title", title).put("lines", lines.rows()).put("verified", verified);
      html.write(SendTask.class, "run.js", figures);
      if (verification != null) {
        out().print(verification.lines());
        out().flush();
      }
      return passes(result) && (verification == null || verification.passed());
    }
  }

  /** Returns whether every event got its verdict, and some were accepted. */
  private static boolean passes(RunReport result) {
    return result.complete() && result.accepted() > 0;
  }
}
