package hourglass.load.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.load.client.FakeTarget;
import hourglass.load.client.Misbehaviour;
import hourglass.testing.Patience;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class CanaryStopTest {
  private static final Pattern PAGE = Pattern.compile("metrics at (http://127.0.0.1:\\d+/metrics)");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicReference<Runnable> signal = new AtomicReference<>();

  private CompletableFuture<Integer> start(FakeTarget target, String... more) {
    CanaryCommand canary = new CanaryCommand();
    canary.onSignal = signal::set;
    CommandLine command =
        new CommandLine(canary)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    String[] arguments = java.util.Arrays.copyOf(more, more.length + 3);
    arguments[more.length] = "--target=" + target.uri();
    arguments[more.length + 1] = "--rate=100";
    arguments[more.length + 2] = "--metrics-port=0";
    return CompletableFuture.supplyAsync(() -> command.execute(arguments));
  }

  private String page() throws Exception {
    await().until(() -> PAGE.matcher(err.toString()).find());
    Matcher page = PAGE.matcher(err.toString());
    assertThat(page.find()).isTrue();
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(page.group(1))).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.body();
  }

  private static double value(String page, String series) {
    return page.lines()
        .filter(line -> line.startsWith("hourglass_canary_" + series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + series + " in " + page));
  }

  @Test
  void metricsAreServedUntilSignal() throws Exception {
    try (FakeTarget target = new FakeTarget()) {
      CompletableFuture<Integer> exit = start(target, "--window=100ms", "--settle=100ms");
      await().until(() -> value(page(), "checked_total") >= 20);
      String page = page();
      assertThat(value(page, "sent_total")).isGreaterThanOrEqualTo(value(page, "checked_total"));
      assertThat(value(page, "lost_total")).isZero();
      assertThat(value(page, "push_seconds_bucket{le=\"+Inf\"}")).isGreaterThanOrEqualTo(20);
      assertThat(value(page, "push_seconds_sum")).isPositive();
      assertThat(value(page, "visible_seconds_count{since=\"acknowledged\"}"))
          .isGreaterThanOrEqualTo(20);
      assertThat(page).contains("# TYPE hourglass_canary_visible_seconds histogram");
      assertThat(exit).isNotDone();
      signal.get().run();
      assertThat(exit.get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS))
          .as(err.toString())
          .isZero();
      assertThat(out.toString()).contains("checked").contains("0 lost");
    }
  }

  @Test
  void ageOfOldestUnseenIsAMetric() throws Exception {
    try (FakeTarget target = new FakeTarget(Misbehaviour.LOSES_AN_EVENT)) {
      CompletableFuture<Integer> exit = start(target, "--settle=1h");
      await().until(() -> value(page(), "oldest_unseen_seconds") > 0.5);
      signal.get().run();
      await().until(() -> value(page(), "awaiting_check") > 0);
      signal.get().run();
      assertThat(exit.get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS))
          .as("not waited for")
          .isEqualTo(1);
      assertThat(out.toString()).contains("could not be checked");
    }
  }
}
