package hourglass.load.canary;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.load.LoadRunner;
import hourglass.load.client.FakeTarget;
import hourglass.load.client.Misbehaviour;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every misbehaviour of a target is found, under its name. */
final class CanaryTest {
  private static final int EVENTS = 20;

  @TempDir private Path directory;

  /** Twenty events in one window by default. */
  private LoadRunner canary(FakeTarget target, String... more) {
    List<String> arguments = new ArrayList<>(List.of("canary"));
    arguments.addAll(List.of(more));
    addUnlessThere(arguments, "--target=", target.uri().toString());
    addUnlessThere(arguments, "--rate=", "200");
    addUnlessThere(arguments, "--events=", String.valueOf(EVENTS));
    addUnlessThere(arguments, "--settle=", "500ms");
    addUnlessThere(arguments, "--json=", json().toString());
    return LoadRunner.load(arguments.toArray(String[]::new));
  }

  private static void addUnlessThere(List<String> arguments, String option, String value) {
    if (arguments.stream().noneMatch(argument -> argument.startsWith(option))) {
      arguments.add(option + value);
    }
  }

  private Path json() {
    return directory.resolve("canary.json");
  }

  private JsonObject figures() throws Exception {
    return new JsonObject(Files.readString(json())).getJsonObject("run");
  }

  @Test
  void correctAnswerHasNoFaults() throws Exception {
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run = canary(target, "--window=20ms", "--histograms=" + directory);
      assertThat(run.out())
          .as(run.err())
          .contains("20 sent")
          .contains("checked   20 acknowledged events: 0 lost, 0 duplicated, 0 out of order");
      assertThat(run.exit()).isZero();
      assertThat(target.size()).isEqualTo(EVENTS);
    }
    assertThat(figures().getInteger("events_checked")).isEqualTo(EVENTS);
    JsonObject settings = new JsonObject(Files.readString(json())).getJsonObject("settings");
    assertThat(settings.getDouble("give_up_after_seconds"))
        .as("a push that timed out is sent again")
        .isGreaterThan(2 * settings.getDouble("timeout_seconds"));
    assertThat(figures().getJsonObject("push_ms").getDouble("max")).isPositive();
    assertThat(figures().getJsonObject("visible_since_due_ms").getDouble("max")).isPositive();
    assertThat(directory.resolve("push.hgrm")).isNotEmptyFile();
    assertThat(directory.resolve("visible.hgrm")).isNotEmptyFile();
  }

  @ParameterizedTest
  @CsvSource({
    "LOSES_AN_EVENT,     1 lost,         lost: canary-",
    "DOUBLES_AN_EVENT,   1 duplicated,   doubled: canary-",
    "REPEATS_IN_STREAM,  1 duplicated,   doubled: canary-",
    "SWAPS_IN_STREAM,    1 out of order, out of order: ",
    "ALTERS_A_BYTE,      1 changed,      altered payload: canary-",
    "SHIFTS_A_TIME,      1 changed,      altered payload: canary-",
    "SHOWS_ANOTHER_TIME, 1 changed,      altered payload: canary-",
    "CHANGES_A_TYPE,     1 lost,         lost: canary-",
    "ENDS_STREAM_EARLY,  10 lost,        lost: canary-"
  })
  void faultsAreFound(Misbehaviour misbehaviour, String count, String which) {
    try (FakeTarget target = new FakeTarget(misbehaviour)) {
      LoadRunner run = canary(target);
      assertThat(run.out()).as(run.err()).contains("WRONG").contains(count).contains(which);
      assertThat(run.err()).contains(which);
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FIRST_STREAM_INCOMPLETE, incomplete",
    "FAILS_THE_FIRST_STREAM,  failed",
  })
  void anIncompleteAnswerIsNotALoss(Misbehaviour misbehaviour, String why) throws Exception {
    try (FakeTarget target = new FakeTarget(misbehaviour)) {
      LoadRunner run = canary(target);
      assertThat(run.out()).as(run.err()).contains("20 acknowledged events: 0 lost");
      assertThat(run.exit()).isZero();
    }
    assertThat(figures().getJsonObject("reads_failed").getInteger(why)).isEqualTo(1);
  }

  @Test
  void otherWindowsAreCheckedIfOneIsUnreadable() throws Exception {
    try (FakeTarget target = new FakeTarget(Misbehaviour.FAILS_STREAMS_OF_THE_FIRST)) {
      LoadRunner run = canary(target, "--rate=20", "--window=50ms", "--give-up-after=3s");
      assertThat(run.out()).as(run.err()).contains("WRONG").contains(" could not be checked");
      assertThat(run.exit()).isEqualTo(1);
    }
    int unchecked = figures().getInteger("events_unchecked");
    assertThat(unchecked).as("of one window").isBetween(1, EVENTS - 1);
    assertThat(figures().getInteger("events_checked")).isEqualTo(EVENTS - unchecked);
  }

  @Test
  void runFailsIfNothingWasChecked() throws Exception {
    try (FakeTarget target = new FakeTarget(Misbehaviour.STREAM_INCOMPLETE)) {
      LoadRunner run = canary(target, "--give-up-after=1s");
      assertThat(run.out())
          .as(run.err())
          .contains("WRONG     0 acknowledged events: 0 lost")
          .contains("20 events could not be checked");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void visibilityDelayIsMeasured() throws Exception {
    try (FakeTarget target = new FakeTarget(Misbehaviour.SHOWS_LATE)) {
      LoadRunner run = canary(target, "--look-every=50ms", "--settle=1m");
      assertThat(run.exit()).as(run.out() + run.err()).isZero();
    }
    double millis = figures().getJsonObject("visible_since_acknowledged_ms").getDouble("max");
    assertThat(millis).as("three looks in vain").isBetween(140.0, 20_000.0);
  }

  @ParameterizedTest
  @CsvSource({"CUTS_AFTER_STORING", "CUTS_BEFORE_STORING", "REFUSES_503", "REFUSES_429"})
  void sendsAnEventAgainUnderItsId(Misbehaviour misbehaviour) throws Exception {
    try (FakeTarget target = new FakeTarget(misbehaviour)) {
      LoadRunner run = canary(target);
      assertThat(run.exit()).as(run.out() + run.err()).isZero();
      assertThat(target.size()).isEqualTo(EVENTS);
    }
    assertThat(figures().getInteger("retries")).isEqualTo(1);
    assertThat(figures().getInteger("events_acknowledged")).isEqualTo(EVENTS);
  }

  @Test
  void retryThatDoublesIsFound() {
    try (FakeTarget target =
        new FakeTarget(Misbehaviour.CUTS_AFTER_STORING, Misbehaviour.FORGETS_IDENTITY)) {
      LoadRunner run = canary(target);
      assertThat(run.out()).as(run.err()).contains("1 duplicated");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void anUnacknowledgedEventIsNotALoss() throws Exception {
    try (FakeTarget target = new FakeTarget(Misbehaviour.ALWAYS_401)) {
      LoadRunner run = canary(target);
      assertThat(run.out()).as(run.err()).contains("nothing was acknowledged");
      assertThat(run.exit()).isEqualTo(1);
    }
    assertThat(figures().getInteger("events_unacknowledged_absent")).isEqualTo(EVENTS);
    assertThat(figures().getInteger("events_lost")).isZero();
    assertThat(figures().getJsonObject("push_errors").getInteger("status 401")).isEqualTo(EVENTS);
  }

  @Test
  void figuresAreReportedIfAFileCannotBeWritten() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run = canary(target, "--histograms=" + file.resolve("below"));
      assertThat(run.out()).as(run.err()).contains("20 acknowledged events: 0 lost");
      assertThat(run.err()).contains("load: ").contains("file");
      assertThat(run.exit()).isEqualTo(1);
    }
    assertThat(figures().getBoolean("passed")).isTrue();
  }

  @Test
  void theTypeIsSharedOnlyWithOtherCanaries() throws Exception {
    Path file = directory.resolve("other");
    Files.writeString(file, "{\"type\":\"canary\",\"time\":\"2026-11-20T08:00:00Z\"}\n");
    try (FakeTarget target = new FakeTarget()) {
      assertThat(canary(target).exit()).isZero();
      assertThat(canary(target).exit()).as("beside another run").isZero();
      LoadRunner.load(target.uri(), "replay", file.toString());
      LoadRunner run = canary(target);
      assertThat(run.err()).contains("--type: canary, want a type without other events");
      assertThat(run.exit()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--rate=0,                --rate",
    "--rate=2000,             --rate",
    "--rate=1000 --window=1h, --window",
    "--type=a&b,              --type",
    "--for=0s,                --for",
    "--events=0,              --events",
    "--look-every=0s,         --look-every",
    "--look-every=2d,         --look-every",
    "--give-up-after=0s,      '--give-up-after: 0s, want 1s to 1d'",
    "--give-up-after=999ms,   '--give-up-after: 999ms'",
    "--give-up-after=2d,      --give-up-after",
    "--for=999999999d,        --for",
    "--settle=110000d,        --settle",
    "--window=0s,             --window",
    "--window=110000d --rate=0.000001, --window",
    "--metrics-port=70000,    --metrics-port",
    "--json=no/such/folder,   --json",
    "--target=ftp://h/,       --target"
  })
  void refusesWrongUsage(String arguments, String message) {
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run = canary(target, arguments.split(" "));
      assertThat(run.err()).contains(message);
      assertThat(run.exit()).isEqualTo(2);
    }
  }
}
