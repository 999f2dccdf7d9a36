package hourglass.load.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hourglass.load.LoadRunner;
import hourglass.load.client.Batch;
import hourglass.load.client.FakeTarget;
import hourglass.load.client.Misbehaviour;
import hourglass.load.client.PushAnswer;
import hourglass.load.client.TargetClient;
import hourglass.testing.ClosedPort;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SendTest {
  private static final String[] GENERATE = {
    "generate", "--events", "2000", "--batch", "500", "--hour", "2026-11-20T08", "--verify"
  };

  @TempDir private Path directory;

  private static String[] with(String... more) {
    String[] all = java.util.Arrays.copyOf(GENERATE, GENERATE.length + more.length);
    System.arraycopy(more, 0, all, GENERATE.length, more.length);
    return all;
  }

  @ParameterizedTest
  @CsvSource({"REFUSES_429, 1 status 429", "REFUSES_503, 1 status 503"})
  void refusedBatchesAreRetried(Misbehaviour misbehaviour, String kind) {
    try (FakeTarget target = new FakeTarget(misbehaviour)) {
      LoadRunner run = LoadRunner.load(target.uri(), GENERATE);
      assertThat(run.out())
          .as(run.err())
          .contains("errors    " + kind)
          .contains("retries   " + kind);
      assertThat(run.out()).contains("verified  2,000 events");
      assertThat(run.exit()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CUTS_BEFORE_STORING", "CUTS_AFTER_STORING"})
  void cutConnectionWithKeyIsRetried(String misbehaviour) {
    try (FakeTarget target = new FakeTarget(Misbehaviour.valueOf(misbehaviour))) {
      LoadRunner run = LoadRunner.load(target.uri(), with("--idempotency-key", "auto"));
      assertThat(run.out())
          .as(run.err())
          .contains("retries   1 connection cut")
          .contains("keys      load-");
      assertThat(run.out()).contains("verified  2,000 events expected, 2,000 read back");
      assertThat(run.exit()).isZero();
    }
  }

  @Test
  void nextTargetIsTriedIfOneIsDown() throws IOException {
    try (ClosedPort closed = new ClosedPort();
        FakeTarget target = new FakeTarget()) {
      URI away = URI.create("http://" + closed.address());
      LoadRunner run =
          LoadRunner.load(
              URI.create(away + "," + target.uri()),
              with("--query-target", target.uri().toString(), "--idempotency-key", "auto"));
      assertThat(run.out())
          .as(run.err())
          .contains("retries   1 no connection") // then that connection stays with the other one
          .contains("verified  2,000 events expected, 2,000 read back");
      assertThat(run.exit()).isZero();
    }
  }

  @Test
  void wrongTargetIsNamed() {
    LoadRunner run = LoadRunner.load(with("--query-target", "example:80"));
    assertThat(run.err()).contains("--query-target: example:80, want http(s)://HOST:PORT");
    assertThat(run.exit()).isEqualTo(2);
  }

  @Test
  void cutConnectionWithoutIdentityIsNotRetried() {
    try (FakeTarget target = new FakeTarget(Misbehaviour.CUTS_BEFORE_STORING)) {
      LoadRunner run = LoadRunner.load(target.uri(), GENERATE);
      assertThat(run.out()).as(run.err()).contains("1,500 accepted, 0 rejected, 500 unknown");
      assertThat(run.out()).contains("retries   none").contains("verified  1,500 events expected");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void untimedEventsAreNotRetriedEvenWithKey() throws IOException {
    Path file = Files.writeString(directory.resolve("untimed"), "{\"type\":\"a\"}\n".repeat(10));
    try (FakeTarget target = new FakeTarget(Misbehaviour.CUTS_AFTER_STORING)) {
      LoadRunner run =
          LoadRunner.load(target.uri(), "replay", file.toString(), "--idempotency-key", "k");
      assertThat(run.out()).as(run.err()).contains("10 unknown").contains("retries   none");
    }
  }

  @Test
  void countsEventsOfUnknownFate() {
    try (FakeTarget target = new FakeTarget(Misbehaviour.ALWAYS_500)) {
      LoadRunner run = LoadRunner.load(target.uri(), GENERATE);
      assertThat(run.out()).as(run.err()).contains("0 accepted, 0 rejected, 2,000 unknown");
      assertThat(run.out()).contains("errors    4 status 500");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void aPermanentRefusalStopsTheRun() {
    try (FakeTarget target = new FakeTarget(Misbehaviour.ALWAYS_401)) {
      LoadRunner run = LoadRunner.load(target.uri(), with("--connections", "1"));
      assertThat(run.out())
          .as(run.err())
          .contains("500 given up")
          .contains("STOPPED   status 401: who are you; --key-file or HOURGLASS_KEY holds the key");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  private static TargetClient clientOf(URI target) {
    return new TargetClient(List.of(target), target, 1, Duration.ofSeconds(5), null, null);
  }

  @Test
  void progressNamesTheCauseWhileNothingIsAccepted() throws IOException {
    Tally tally = new Tally(0);
    assertThat(LoadRun.line("import", tally, -1, 1)).endsWith("retries 0");
    Batch batch = Batch.plain(0, 0, 1, Buffer.buffer("{}\n"));
    try (ClosedPort closed = new ClosedPort();
        TargetClient client = clientOf(URI.create("http://" + closed.address()))) {
      tally.failed((PushAnswer.Failure) client.push(batch, "", null, 0));
    }
    assertThat(LoadRun.line("import", tally, -1, 1)).contains("retries 0; no connection: ");
    tally.verdict(batch, PushAnswer.Verdict.all(1));
    assertThat(LoadRun.line("import", tally, -1, 1)).endsWith("retries 0");
  }

  @Test
  void givesUpWithoutATarget() throws IOException {
    try (ClosedPort closed = new ClosedPort()) {
      LoadRunner run =
          LoadRunner.load(
              URI.create("http://" + closed.address()),
              "generate",
              "--events",
              "10",
              "--give-up-after",
              "300ms");
      assertThat(run.out())
          .as(run.err())
          .contains("0 unknown, 10 given up")
          .contains("no connection");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void eventsAreSentAtTheGivenRate() throws IOException {
    Path json = directory.resolve("report.json");
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run =
          LoadRunner.load(target.uri(), with("--rate", "2000", "--json", json.toString()));
      assertThat(run.out()).as(run.err()).contains("open loop at 2,000 events/s");
    }
    JsonObject report = new JsonObject(Files.readString(json));
    assertThat(report.getJsonObject("settings").getLong("events")).isEqualTo(2000);
    JsonObject figures = report.getJsonObject("run");
    assertThat(figures.getDouble("seconds")).isGreaterThanOrEqualTo(0.75);
    assertThat(figures.getString("loop")).isEqualTo("open");
    assertThat(figures.getDouble("disk_bytes_per_event")).isCloseTo(20, within(0.01));
    assertThat(figures.getDouble("server_cpu_seconds_per_million")).isCloseTo(1000, within(0.01));
    assertThat(figures.getDouble("server_resident_bytes")).isEqualTo(1e8);
    assertThat(figures.getJsonObject("latency_ms").getDouble("p99.9")).isPositive();
    assertThat(report.getJsonObject("verify").getBoolean("passed")).isTrue();
  }

  @Test
  void benchPrintsItsTables() throws IOException {
    Path json = directory.resolve("bench.json");
    Path html = directory.resolve("bench.html");
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run =
          LoadRunner.load(
              target.uri(),
              "bench",
              "--events",
              "3000",
              "--batch",
              "500",
              "--hour",
              "2026-11-20T08",
              "--untimed",
              "5",
              "--repeat",
              "3",
              "--verify",
              "--json",
              json.toString(),
              "--html",
              html.toString());
      assertThat(html).content().contains("hits of data.trace == ...", "2026-11-20T10");
      assertThat(run.out())
          .as(run.err())
          .contains("2026-11-20T08")
          .contains("2026-11-20T10")
          .contains("after 9,000 events: 20.0 stored bytes per event, 100 MB resident")
          .contains("query (last: median of 3 after 5)")
          .containsPattern("first ms +later ms +last ms +best ms +worst ms +MB")
          .contains("full hour, all types")
          .contains("hits per minute and type")
          .contains("hits of data.trace == ...")
          .contains("top data.path")
          .contains("all hours: stats of data.ms by type");
      assertThat(run.exit()).isZero();
    }
    JsonObject report = new JsonObject(Files.readString(json));
    assertThat(report.getJsonArray("hours")).hasSize(3);
    assertThat(report.getJsonArray("queries")).hasSize(4 + 7 + 3);
    assertThat(report.getJsonArray("queries").getJsonObject(7).getLong("events")).isEqualTo(1);
    assertThat(report.getBoolean("passed")).isTrue();
  }

  @Test
  void benchAsksForWordsOfMessages() throws IOException {
    Path json = directory.resolve("bench.json");
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run =
          LoadRunner.load(
              target.uri(),
              "bench",
              "--messages",
              "--events=1000",
              "--hour=2026-11-20T08",
              "--untimed=4",
              "--repeat=1",
              "--json",
              json.toString());
      assertThat(run.out())
          .as(run.err())
          .contains("query (last: median of 1 after 4)")
          .contains("an absent text")
          .contains("connection refused: by hour and type");
      assertThat(run.exit()).isZero();
    }
    JsonObject rare =
        new JsonObject(Files.readString(json)).getJsonArray("queries").getJsonObject(0);
    assertThat(rare.getString("name")).isEqualTo("a rare word");
    assertThat(rare.getDouble("first_ms")).isPositive();
    assertThat(rare.getDouble("later_ms")).isPositive();
    assertThat(rare.getLong("events")).isEqualTo(3_000);
  }

  @ParameterizedTest
  @CsvSource({
    "generate --connections 0,       --connections",
    "generate --batch 0,             --batch",
    "generate --rate -1,             --rate",
    "generate --target ftp://h:1/t,   --target",
    "generate --target kafka://h:1,   one kafka://HOST:PORT/TOPIC",
    "generate --target kafka://h/t,   one kafka://HOST:PORT/TOPIC",
    "generate --target kafka://h:1/t --idempotency-key a, none for a topic",
    "generate --hour yesterday,      not an hour",
    "generate --late 2,              --late",
    "generate --payload-bytes 3,     --payload-bytes",
    "generate --prepare --events 90000000, --prepare",
    "generate --settle soon,         not a duration",
    "replay nosuchfile,              readable file",
    "replay,                         FILE",
    "bench --late 0.5,               0 in a bench",
    "'',                             want a scenario",
    "nosuch,                         nosuch"
  })
  void refusesWrongUsage(String args, String message) {
    LoadRunner run = LoadRunner.load(args.isEmpty() ? new String[0] : args.split(" "));
    assertThat(run.err()).contains(message);
    assertThat(run.exit()).isEqualTo(2);
  }
}
