package hourglass.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.load.client.FakeTarget;
import hourglass.load.send.LoadRun;
import hourglass.testing.ClosedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Ctrl-C prints the report of the run so far. */
final class StopTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicReference<Runnable> signal = new AtomicReference<>();

  private CompletableFuture<Integer> start(String target) {
    GenerateCommand generate = new GenerateCommand();
    generate.onSignal = signal::set;
    CommandLine command =
        new CommandLine(generate)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    return CompletableFuture.supplyAsync(
        () ->
            command.execute(
                "--target=" + target,
                "--events=1000000",
                "--batch=10",
                "--rate=200",
                "--hour=2026-11-20T08",
                "--idempotency-key=auto",
                "--verify",
                "--no-prepare",
                "--settle=0s"));
  }

  private void signal(CompletableFuture<Integer> run) {
    signal.get().run();
    assertThat(run.join()).as(err.toString()).isEqualTo(1);
  }

  @Test
  void signalPrintsReportSoFar() {
    try (FakeTarget target = new FakeTarget()) {
      CompletableFuture<Integer> run = start(target.uri().toString());
      await().until(() -> target.size() >= 50 || run.isDone());
      signal(run);
      assertThat(out.toString().lines().skip(1).findFirst())
          .as("the reason comes first")
          .contains("  STOPPED   " + LoadRun.SIGNAL);
      assertThat(out.toString())
          .containsPattern("events +[1-9][0-9,]* accepted, 0 rejected, 0 unknown, 0 given up")
          .doesNotContain("verified  ");
    }
  }

  @Test
  void signalEndsRetriesWithoutInfinity() throws IOException {
    try (ClosedPort closed = new ClosedPort()) {
      CompletableFuture<Integer> run = start("http://" + closed.address());
      await().until(() -> signal.get() != null || run.isDone());
      signal(run);
    }
    assertThat(out.toString())
        .contains("0 accepted", "client    (not given) CPU s")
        .doesNotContain("Infinity")
        .doesNotContain("NaN");
  }
}
