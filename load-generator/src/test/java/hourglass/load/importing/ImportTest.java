package hourglass.load.importing;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.load.importing.FakeIntake.Trouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ImportTest {
  @TempDir private Path directory;

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  @Test
  void theReportCountsLinesReadAndEventsStored() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      String file = file("a.ndjson", ImportRun.TIMED + "\n");
      ImportRun run = ImportRun.run(server, file);
      assertThat(run.lines())
          .as(run.err())
          .containsExactly(
              "read 2 lines from " + file,
              "stored 2 events in " + server.url(),
              "times 2026-11-20T08:00:00Z to 2026-11-20T09:00:00Z");
      assertThat(run.exit()).isZero();
      assertThat(server.stored()).isEqualTo(ImportRun.TIMED.lines().toList());
      assertThat(server.dryRuns()).isEqualTo(1);
    }
  }

  @Test
  void theFieldUsedAsTheTimeIsNamed() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.pipe(server, "{\"timestamp\":\"2026-11-20T08:00:00Z\"}\n");
      assertThat(run.lines()).as(run.err()).contains("1 from the field timestamp");
      assertThat(run.exit()).isZero();
    }
  }

  @Test
  void refusedLinesAreFoldedByReasonWithTheirNumbers() throws IOException {
    StringBuilder text = new StringBuilder(ImportRun.TIMED);
    text.append("{\"type\":\"a\",\"time\":\"yesterday\"}\n\n".repeat(12)).append("{broken\n");
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.pipe(server, text.toString());
      assertThat(run.lines())
          .as(run.err())
          .contains(
              "read 15 lines from the standard input",
              "refused 13 events",
              "12: time: not a time: \"yesterday\" (lines 3, 5, 7, 9, 11, 13, 15, 17, 19, 21 and 2 more)",
              "1: not JSON (line 27)");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void theReportBeginsWithEventsWithoutATime() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run =
          ImportRun.pipe(server, ImportRun.TIMED + "{\"date\":\"2026-11-20T08:00:00Z\"}\n");
      assertThat(run.lines())
          .as(run.err())
          .first()
          .isEqualTo(
              "NO TIME 1 of 3 events have no time and got the time of receipt;"
                  + " add --time-field date");
      assertThat(run.exit()).isZero();
      assertThat(ImportRun.pipe(server, "hello\n").lines())
          .startsWith("NO TIME 1 of 1 events have no time and got the time of receipt");
    }
  }

  @Test
  void nothingIsStoredIfMostEventsNeedATimeField() throws IOException {
    String text = "{\"date\":\"2026-11-20T08:00:00Z\"}\n".repeat(3) + ImportRun.TIMED;
    String good = file("good", ImportRun.TIMED);
    String bad = file("bad", text);
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.run(server, good, bad);
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .isEqualTo(
              ("hourglass: %s: 3 of its first 5 events have no time that is read, so nothing was"
                      + " stored; add --time-field date, or --received for the time of receipt\n")
                  .formatted(bad));
      assertThat(server.stored()).isEmpty();

      assertThat(ImportRun.pipe(server, text, "--received").lines())
          .first()
          .asString()
          .startsWith("NO TIME 3 of 5 events");
      assertThat(server.stored()).hasSize(5);
      assertThat(server.queries())
          .containsExactly("identity=place&on_bad_time=receipt&first_place=0");
    }
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run =
          ImportRun.pipe(server, text.lines().limit(3).toList().get(0), "--time-field=date");
      assertThat(run.out()).as(run.err()).doesNotContain("NO TIME");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"BUSY", "AWAY", "CUT_BEFORE_STORING", "CUT_AFTER_STORING"})
  void aRepeatedRequestStoresNothingTwice(Trouble trouble) throws IOException {
    try (FakeIntake server = new FakeIntake(trouble)) {
      ImportRun run = ImportRun.pipe(server, ImportRun.TIMED + ImportRun.TIMED);
      assertThat(run.exit()).as(run.toString()).isZero();
      assertThat(server.stored()).hasSize(4);
      assertThat(run.lines()).contains("retries 1, all counted once");
      ImportRun.pipe(server, ImportRun.TIMED + ImportRun.TIMED);
      assertThat(server.stored()).hasSize(4);
      assertThat(server.queries()).allMatch(query -> query.contains("identity=place"));
    }
  }

  @Test
  void untimedEventsAreNotRetriedIfPossiblyStored() throws IOException {
    try (FakeIntake server = new FakeIntake(Trouble.CUT_AFTER_STORING)) {
      ImportRun run = ImportRun.pipe(server, "hello\nworld\n");
      assertThat(run.exit()).isEqualTo(1);
      assertThat(server.stored()).hasSize(2);
      assertThat(run.out()).contains("NOT DONE", " may be stored or not: connection cut");
    }
  }

  @Test
  void aRefusedRequestEndsTheImport() throws IOException {
    try (FakeIntake server = new FakeIntake(Trouble.BROKEN)) {
      ImportRun run = ImportRun.pipe(server, ImportRun.TIMED);
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.lines()).first().isEqualTo("STOPPED status 413: body: too large");
      assertThat(run.lines())
          .contains(
              "NOT DONE lines 1 to 2 of the standard input are not stored: status 413: body: too large");
    }
  }

  /** The input is a pipe, such as {@code <(zcat old.gz)}. */
  @Test
  void benchmarkFiguresAreWrittenOnlyOnRequest() throws IOException {
    Path json = directory.resolve("figures.json");
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.pipe(server, ImportRun.TIMED + "{x\n", "--json=" + json);
      assertThat(run.out()).doesNotContain("latency", "events/s");
      assertThat(Files.readString(json))
          .contains("\"lines_read\" : 3", "\"events_stored\" : 2", "\"events_refused\" : 1")
          .contains("\"reason\" : \"not JSON\"", "\"line\" : 3", "\"run\" : null")
          .contains("\"first\" : \"2026-11-20T08:00:00Z\"", "\"last\" : \"2026-11-20T09:00:00Z\"");
      assertThat(ImportRun.pipe(server, ImportRun.TIMED, "--figures", "--json=" + json).out())
          .contains("latency", "events/s");
      assertThat(Files.readString(json)).contains("latency_ms");
    }
  }

  @Test
  void optionsBecomeParameters() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      ImportRun.pipe(
          server,
          ImportRun.TIMED,
          "--type-field=kind",
          "--id-field=uid",
          "--default-type=app log",
          "--time-zone=Europe/Berlin");
      assertThat(server.queries())
          .containsExactly(
              "type_field=kind&id_field=uid&identity=place&default_type=app log&time_zone=Europe/Berlin&first_place=0");
      Path key = Files.writeString(directory.resolve("key"), "hg_secret\n");
      ImportRun.pipe(server, ImportRun.TIMED, "--key-file=" + key);
      assertThat(server.keys()).contains("Bearer hg_secret");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "none.ndjson | FILE: none.ndjson, want files that can be read, or - for the standard input",
        "- - | each once",
        "- --target=kafka://h:1/t | want http://HOST:PORT or https://HOST:PORT; load replay sends"
            + " to a topic",
        "- --time-zone=CEST | --time-zone: CEST, want a zone such as Europe/Berlin, an offset",
        "'' | FILE",
      })
  void wrongUsageIsRefused(String arguments, String message) throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      String[] all = arguments.isEmpty() ? new String[0] : arguments.split(" ");
      ImportRun run = ImportRun.run(server, all);
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).contains(message);
    }
  }

  @Test
  void aMissingServerPrintsOneLine() throws IOException {
    FakeIntake gone = new FakeIntake();
    gone.close();
    ImportRun run = ImportRun.pipe(gone, ImportRun.TIMED);
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .startsWith("hourglass: no connection: ")
        .endsWith("; --target or HOURGLASS_TARGET names the server");
  }
}
