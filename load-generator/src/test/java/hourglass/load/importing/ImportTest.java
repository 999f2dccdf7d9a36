package hourglass.load.importing;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import hourglass.load.importing.FakeIntake.Trouble;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

final class ImportTest {
  private static final String TIMED =
      """
      {"type":"a","time":"2026-11-20T08:00:00Z","n":1}
      {"type":"a","time":"2026-11-20T09:00:00Z","n":2}
      """;

  @TempDir private Path directory;

  private record Run(int exit, String out, String err) {
    /** With one space between words. */
    List<String> lines() {
      return out.lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
    }
  }

  private static Run run(InputStream stdin, FakeIntake server, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] all = new String[arguments.length + 1];
    all[0] = "import";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    int exit =
        new CommandLine(CommandSpec.create().name("hourglass"))
            .addSubcommand(
                ImportCommand.commandLine(Map.of("HOURGLASS_TARGET", server.url()), stdin))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all);
    return new Run(exit, out.toString(), err.toString());
  }

  private static Run run(FakeIntake server, String... arguments) {
    return run(InputStream.nullInputStream(), server, arguments);
  }

  private static Run pipe(FakeIntake server, String text, String... options) {
    String[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = "-";
    return run(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), server, all);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  @Test
  void theReportSaysWhatWasReadAndStored() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      String file = file("a.ndjson", TIMED + "\n");
      Run run = run(server, file);
      assertThat(run.lines())
          .as(run.err)
          .containsExactly(
              "read 2 lines from " + file,
              "stored 2 events in " + server.url(),
              "times 2026-11-20T08:00:00Z to 2026-11-20T09:00:00Z");
      assertThat(run.exit).isZero();
      assertThat(server.stored()).isEqualTo(TIMED.lines().toList());
      assertThat(server.dryRuns()).isEqualTo(1);
    }
  }

  @Test
  void theFieldThatStoodForTheTimeIsNamed() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      Run run = pipe(server, "{\"timestamp\":\"2026-11-20T08:00:00Z\"}\n");
      assertThat(run.lines()).as(run.err).contains("1 from the field timestamp");
      assertThat(run.exit).isZero();
    }
  }

  @Test
  void refusedLinesAreFoldedByReasonWithTheirNumbers() throws IOException {
    StringBuilder text = new StringBuilder(TIMED);
    text.append("{\"type\":\"a\",\"time\":\"yesterday\"}\n\n".repeat(12)).append("{broken\n");
    try (FakeIntake server = new FakeIntake()) {
      Run run = pipe(server, text.toString());
      assertThat(run.lines())
          .as(run.err)
          .contains(
              "read 15 lines from the standard input",
              "refused 13 events",
              "12: time: not a time: \"yesterday\" (lines 3, 5, 7, 9, 11, 13, 15, 17, 19, 21 and 2 more)",
              "1: not JSON (line 27)");
      assertThat(run.exit).isEqualTo(1);
    }
  }

  @Test
  void theFirstLineTellsOfEventsWithTheTimeOfReceipt() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      Run run = pipe(server, TIMED + "{\"date\":\"2026-11-20T08:00:00Z\"}\n");
      assertThat(run.lines())
          .as(run.err)
          .first()
          .isEqualTo(
              "NO TIME 1 of 3 events have no time and got the time of receipt;"
                  + " add --time-field date");
      assertThat(run.exit).isZero();
      assertThat(pipe(server, "hello\n").lines())
          .startsWith("NO TIME 1 of 1 events have no time and got the time of receipt");
    }
  }

  @Test
  void nothingIsStoredWhereMostEventsWouldGetTheTimeOfReceiptThoughAFieldHasOne()
      throws IOException {
    String text = "{\"date\":\"2026-11-20T08:00:00Z\"}\n".repeat(3) + TIMED;
    String good = file("good", TIMED);
    String bad = file("bad", text);
    try (FakeIntake server = new FakeIntake()) {
      Run run = run(server, good, bad);
      assertThat(run.exit).isEqualTo(1);
      assertThat(run.out).isEmpty();
      assertThat(run.err)
          .isEqualTo(
              ("hourglass: %s: 3 of its first 5 events have no time that is read, so nothing was"
                      + " stored; add --time-field date, or --received for the time of receipt\n")
                  .formatted(bad));
      assertThat(server.stored()).isEmpty();

      assertThat(pipe(server, text, "--received").lines())
          .first()
          .asString()
          .startsWith("NO TIME 3 of 5 events");
      assertThat(server.stored()).hasSize(5);
      assertThat(server.queries()).containsExactly("identity=content&on_bad_time=receipt");
    }
    try (FakeIntake server = new FakeIntake()) {
      Run run = pipe(server, text.lines().limit(3).toList().get(0), "--time-field=date");
      assertThat(run.out).as(run.err).doesNotContain("NO TIME");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // ~ is a line break
        "a JSON array | [{\"s\":\"[\\\"}\"}~,~{\"a\":[{},{}]}] | {\"s\":\"[\\\"}\"};{\"a\":[{},{}]}",
        "printed JSON | {~ \"a\":~1~}~{~\"b\": { \"c\": 1 }~}~ | {  \"a\": 1 };{ \"b\": { \"c\": 1 } }",
        "both kinds | 08:00 a~[2026] b~{\"time\":null}~ {} | 08:00 a;[2026] b;{\"time\":null}; {}",
        "a byte order mark and CRLF | \ufeff{\"a\":1}\r~{\"a\":2}\r~ | {\"a\":1};{\"a\":2}",
        "an empty array | [] |",
        "nothing | '' |",
      })
  void eventsAreFoundIn(String what, String text, @Nullable String events) throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      Run run = pipe(server, text.replace('~', '\n'), "--received");
      assertThat(run.exit).as(what + run).isZero();
      assertThat(server.stored())
          .containsExactlyInAnyOrder(events == null ? new String[0] : events.split(";"));
    }
  }

  @Test
  void aBrokenLineOfJsonIsNeverText() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      Run run = pipe(server, TIMED + "{\"a\":\n");
      assertThat(run.lines()).as(run.err).contains("1: not JSON (line 3)");
      assertThat(server.stored()).hasSize(2);
    }
  }

  @Test
  void aLineBreakWithinAStringStaysWrong() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      Run run = pipe(server, "[{\"a\":\"x\ny\"},\n{\"b\":1}]");
      assertThat(run.lines()).as(run.err).contains("1: not JSON (event 1)");
      assertThat(server.stored()).containsExactly("{\"b\":1}");
    }
  }

  @Test
  void packedFilesAreRead() throws IOException {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(gzip)) {
      out.write(TIMED.getBytes(StandardCharsets.UTF_8));
    }
    byte[] zstd = Zstd.compress(TIMED.getBytes(StandardCharsets.UTF_8));
    String first = Files.write(directory.resolve("a.gz"), gzip.toByteArray()).toString();
    try (FakeIntake server = new FakeIntake()) {
      assertThat(run(new ByteArrayInputStream(zstd), server, "-", "--type=z").exit).isZero();
      assertThat(run(server, first).lines()).contains("read 2 lines from " + first);
      assertThat(server.stored()).hasSize(2);
    }
  }

  @Test
  void damagedFilesFailWithTheirNameAfterWhatCameBefore() throws IOException {
    String event = "{\"time\":\"2026-11-20T08:00:00Z\",\"n\":%d}\n";
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      text.append(event.formatted(i * 7919L % 1_000_003));
    }
    byte[] zstd = Zstd.compress(text.toString().getBytes(StandardCharsets.UTF_8));
    byte[] half = Arrays.copyOf(zstd, zstd.length / 2);
    Path cut = Files.write(directory.resolve("cut.zst"), half);
    String array = file("cut.json", "[" + event.formatted(1) + "," + event.formatted(2));
    try (FakeIntake server = new FakeIntake()) {
      Run run = run(server, cut.toString());
      assertThat(run.exit).isEqualTo(1);
      assertThat(run.lines())
          .anyMatch(line -> line.contains("STOPPED " + cut + ": it ends too early"));
      assertThat(server.stored()).hasSizeGreaterThan(10_000);
      Run ofArray = run(server, array);
      assertThat(ofArray.err).contains(array + ": it ends too early, after 1 whole events");
      String binary = file("binary", "a\0b");
      assertThat(run(server, binary).err).contains(binary + ": neither text in UTF-8 nor gzip");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"BUSY", "AWAY", "CUT_BEFORE_STORING", "CUT_AFTER_STORING"})
  void aRepeatedRequestStoresNothingTwice(Trouble trouble) throws IOException {
    try (FakeIntake server = new FakeIntake(trouble)) {
      Run run = pipe(server, TIMED + TIMED);
      assertThat(run.exit).as(run.toString()).isZero();
      assertThat(server.stored()).hasSize(4);
      assertThat(run.lines()).contains("retries 1, all counted once");
      pipe(server, TIMED + TIMED);
      assertThat(server.stored()).hasSize(4);
      assertThat(server.queries()).allMatch(query -> query.contains("identity=content"));
    }
  }

  @Test
  void eventsWithoutATimeAreNotSentAgainWhereTheyMayBeStored() throws IOException {
    try (FakeIntake server = new FakeIntake(Trouble.CUT_AFTER_STORING)) {
      Run run = pipe(server, "hello\nworld\n");
      assertThat(run.exit).isEqualTo(1);
      assertThat(server.stored()).hasSize(2);
      assertThat(run.out).contains("NOT DONE", " may be stored or not: connection cut");
    }
  }

  @Test
  void aRefusedRequestEndsTheImport() throws IOException {
    try (FakeIntake server = new FakeIntake(Trouble.BROKEN)) {
      Run run = pipe(server, TIMED);
      assertThat(run.exit).isEqualTo(1);
      assertThat(run.lines()).first().isEqualTo("STOPPED status 413: body: too large");
      assertThat(run.lines())
          .contains(
              "NOT DONE lines 1 to 2 of the standard input are not stored: status 413: body: too large");
    }
  }

  @Test
  void aPipeIsSentWhenItsWriterPauses() throws Exception {
    try (FakeIntake server = new FakeIntake();
        PipedOutputStream writer = new PipedOutputStream()) {
      PipedInputStream pipe = new PipedInputStream(writer);
      CompletableFuture<Run> run = CompletableFuture.supplyAsync(() -> run(pipe, server, "-"));
      for (String line : TIMED.lines().toList()) {
        int before = server.stored().size();
        writer.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        writer.flush();
        Awaitility.await().until(() -> server.stored().size() == before + 1);
      }
      writer.close();
      assertThat(run.get().exit).isZero();
    }
  }

  /** As by {@code <(zcat old.gz)}. */
  @Test
  void aNamedPipeIsReadOnce() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path file = Files.writeString(directory.resolve("file"), TIMED);
    Process writer = new ProcessBuilder("cp", file.toString(), pipe.toString()).start();
    try (FakeIntake server = new FakeIntake()) {
      Run run = run(server, pipe.toString());
      assertThat(run.lines()).as(run.err).contains("read 2 lines from " + pipe);
      assertThat(server.stored()).hasSize(2);
    } finally {
      writer.destroyForcibly();
    }
  }

  @Test
  void manyLinesBecomeSeveralRequestsThatAreNeverCutAmongEqualLines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 12_000; i++) {
      // 4,990 to 5,010 are equal
      int n = i >= 4_990 && i <= 5_010 ? 4_990 : i;
      lines.add("{\"time\":\"2026-11-20T08:00:00Z\",\"n\":%d}".formatted(n));
    }
    String file = file("many", String.join("\n", lines));
    try (FakeIntake server = new FakeIntake()) {
      Run run = run(server, file);
      assertThat(run.lines()).as(run.err).contains("read 12,000 lines from " + file);
      assertThat(server.stored()).containsExactlyInAnyOrderElementsOf(lines);
      assertThat(server.queries()).hasSize(3);
      run(server, file);
      assertThat(server.stored()).hasSize(12_000);
    }
  }

  @Test
  void requestsAreNotCutWithinAStackTrace() throws IOException {
    String event = "2026-11-20T08:00:00Z failed %d\njava.io.IOException: closed\n\tat a.B\n";
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4_000; i++) {
      text.append(event.formatted(i));
    }
    try (FakeIntake server = new FakeIntake()) {
      Run run = pipe(server, text.toString(), "--received");
      assertThat(run.exit).as(run.toString()).isZero();
      assertThat(server.stored()).hasSize(12_000);
      assertThat(server.firstLines()).hasSize(3).allMatch(line -> line.startsWith("2026-"));
    }
  }

  @Test
  void figuresAreWrittenAsJsonAndThoseOfABenchmarkOnlyIfAsked() throws IOException {
    Path json = directory.resolve("figures.json");
    try (FakeIntake server = new FakeIntake()) {
      Run run = pipe(server, TIMED + "{x\n", "--json=" + json);
      assertThat(run.out).doesNotContain("latency", "events/s");
      assertThat(Files.readString(json))
          .contains("\"lines_read\" : 3", "\"events_stored\" : 2", "\"events_refused\" : 1")
          .contains("\"reason\" : \"not JSON\"", "\"line\" : 3", "\"run\" : null")
          .contains("\"first\" : \"2026-11-20T08:00:00Z\"", "\"last\" : \"2026-11-20T09:00:00Z\"");
      assertThat(pipe(server, TIMED, "--figures", "--json=" + json).out)
          .contains("latency", "events/s");
      assertThat(Files.readString(json)).contains("latency_ms");
    }
  }

  @Test
  void optionsBecomeParameters() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      pipe(
          server,
          TIMED,
          "--type-field=kind",
          "--id-field=uid",
          "--default-type=app log",
          "--time-zone=Europe/Berlin");
      assertThat(server.queries())
          .containsExactly(
              "type_field=kind&id_field=uid&identity=content&default_type=app log&time_zone=Europe/Berlin");
      Path key = Files.writeString(directory.resolve("key"), "hg_secret\n");
      pipe(server, TIMED, "--key-file=" + key);
      assertThat(server.keys()).contains("Bearer hg_secret");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "none.ndjson | FILE: none.ndjson, want files that can be read, or - for the standard input",
        "- - | each once",
        "- --target=kafka://h:1/t | want http(s)://HOST:PORT; load replay sends to a topic",
        "- --time-zone=CEST | --time-zone: CEST, want a zone such as Europe/Berlin, an offset",
        "'' | FILE",
      })
  void wrongUsage(String arguments, String message) throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      String[] all = arguments.isEmpty() ? new String[0] : arguments.split(" ");
      Run run = run(server, all);
      assertThat(run.exit).isEqualTo(2);
      assertThat(run.err).contains(message);
    }
  }

  @Test
  void aServerThatIsNotThereIsOneLine() throws IOException {
    FakeIntake gone = new FakeIntake();
    gone.close();
    Run run = pipe(gone, TIMED);
    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err.lines())
        .singleElement()
        .asString()
        .startsWith("hourglass: no connection: ")
        .endsWith("; --target or HOURGLASS_TARGET names the server");
  }
}
