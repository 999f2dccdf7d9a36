package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Imports of files that people have: each event has its own time, or the command says what to add.
 */
@Tag(Tier.IN_FIRST)
class ImportIT {
  private static final Instant FIRST = Instant.parse("2026-11-20T08:00:00Z");
  private static final int EVENTS = 40;

  @TempDir private static Path folder;

  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(folder);
  }

  @AfterAll
  static void end() {
    server.close();
  }

  /**
   * A file with an event every seven seconds.
   *
   * @param type of its events in the store
   * @param linesEach of each event
   * @param missing the options that an import without them asks for, or empty
   */
  private record Sample(String type, byte[] content, int linesEach, String missing) {
    @Override
    public String toString() {
      return type;
    }
  }

  private static Sample sample(String type, String missing, IntFunction<String> line) {
    return new Sample(type, utf8(lines(line)), 1, missing);
  }

  private static String lines(IntFunction<String> line) {
    return IntStream.range(0, EVENTS).mapToObj(line).collect(Collectors.joining("\n", "", "\n"));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Instant time(int event) {
    return FIRST.plusSeconds(7L * event);
  }

  private static String time(String pattern, int event) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(time(event));
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(utf8(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  static Stream<Sample> samples() {
    String local = "yyyy-MM-dd HH:mm:ss";
    return Stream.of(
        sample(
            "dpkg",
            "--time-zone UTC",
            i -> time(local, i) + " status installed libc" + i + ":amd64 2.36-9"),
        sample(
            "nginx",
            "",
            i ->
                "10.0.0.7 - - [%s +0000] \"GET /a/%d HTTP/1.1\" 200 512 \"-\" \"curl/8.5\""
                    .formatted(time("dd/MMM/yyyy:HH:mm:ss", i), i)),
        sample(
            "journal",
            "--time-field __REALTIME_TIMESTAMP",
            i ->
                "{\"__CURSOR\":\"s=%d\",\"__REALTIME_TIMESTAMP\":\"%d\",\"__MONOTONIC_TIMESTAMP\":\"%d\",\"MESSAGE\":\"m\"}"
                    .formatted(i, time(i).toEpochMilli() * 1000, i)),
        sample("logfmt", "", i -> "time=%s level=info msg=\"started %d\"".formatted(time(i), i)),
        sample(
            "pino",
            "",
            i ->
                "{\"level\":30,\"time\":%d,\"pid\":7,\"msg\":\"m\"}"
                    .formatted(time(i).toEpochMilli())),
        sample(
            "logback",
            "",
            i -> "{\"@timestamp\":\"%s\",\"message\":\"m\",\"level\":\"INFO\"}".formatted(time(i))),
        sample("python", "--time-zone UTC", i -> time(local, i) + ",000 INFO root: started " + i),
        new Sample(
            "orders",
            utf8(
                lines(i -> "  {\"order_id\": %d, \"date\": \"%s\"},".formatted(i, time(local, i)))
                    .replaceFirst("^", "[\n")
                    .replaceFirst(",\n$", "\n]\n")),
            1,
            "--time-field date --time-zone UTC"),
        new Sample("packed", gzip(lines(i -> time(i) + " INFO packed " + i)), 1, ""),
        new Sample(
            "trace",
            utf8(
                lines(
                    i ->
                        time(i)
                            + " ERROR failed\njava.io.IOException: closed\n\tat a.B.c(B.java:1)")),
            3,
            ""),
        sample(
            "docker",
            "",
            i ->
                "{\"log\":\"line %d\\n\",\"stream\":\"stdout\",\"time\":\"%s\"}"
                    .formatted(i, time("yyyy-MM-dd'T'HH:mm:ss'.000000000Z'", i))));
  }

  private static Program.Result run(String... arguments) throws Exception {
    return Program.run(folder, Map.of("HOURGLASS_TARGET", server.address()), arguments);
  }

  @ParameterizedTest
  @MethodSource("samples")
  @Tag(Tier.IN_FULL)
  void eventsOfAFileGetTheirOwnTimes(Sample sample) throws Exception {
    String file = Files.write(folder.resolve(sample.type), sample.content).toString();
    String type = "--default-type=" + sample.type;
    List<String> arguments = Stream.of("import", file, type).collect(Collectors.toList());
    if (!sample.missing.isEmpty()) {
      Program.Result stopped = run(arguments.toArray(String[]::new));
      assertThat(stopped.exit()).as(stopped.toString()).isEqualTo(1);
      assertThat(stopped.out()).isEmpty();
      assertThat(stopped.err().lines())
          .singleElement()
          .asString()
          .contains("so nothing was stored; add " + sample.missing, "--received");
      assertThat(stored(sample.type)).isEmpty();
      arguments.addAll(List.of(sample.missing.split(" ")));
    }
    Program.Result done = run(arguments.toArray(String[]::new));
    assertThat(done.exit()).as(done.toString()).isZero();
    assertThat(done.out()).doesNotContain("NO TIME");
    List<String> events = stored(sample.type);
    assertThat(events).hasSize(EVENTS * sample.linesEach);
    for (int i = 0; i < events.size(); i++) {
      String second = time(i / sample.linesEach).toString().replace("Z", ".");
      assertThat(events.get(i)).contains("\"time\":\"" + second + "0000");
    }
  }

  private static List<String> stored(String type) throws Exception {
    HttpResponse<String> events =
        server.get("/api/v1/events?format=ndjson&limit=all&hour=2026-11-20T08&type=" + type);
    assertThat(events.statusCode()).isEqualTo(200);
    return events.body().lines().toList();
  }

  @Test
  void reimportingAGrownFileStoresOnlyNewLines() throws Exception {
    Path file = folder.resolve("grown");
    Files.writeString(file, time(0) + " a\n" + time(0) + " a\n");
    assertThat(run("import", file.toString(), "--type=grown").exit()).isZero();
    Files.writeString(file, time(1) + " b\n", StandardOpenOption.APPEND);
    assertThat(run("import", file.toString(), "--type=grown").exit()).isZero();
    assertThat(stored("grown")).hasSize(3);
  }

  /** Servers write many equal lines a second, and their stack traces are alike. */
  @Test
  @Tag(Tier.IN_FULL)
  void equalLinesAreAllStored() throws Exception {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 12_000; i++) {
      String path = "/p/" + i % 7;
      log.append(
          "10.0.0.7 - - [20/Nov/2026:08:30:%02d +0000] \"GET %s\" 200\n".formatted(i / 400, path));
    }
    Path file = Files.writeString(folder.resolve("access"), log);
    for (int run = 0; run < 2; run++) {
      assertThat(run("import", file.toString(), "--type=access").exit()).isZero();
      assertThat(stored("access")).hasSize(12_000);
    }
    Files.writeString(file, log.substring(0, log.indexOf("\n") + 1), StandardOpenOption.APPEND);
    assertThat(run("import", file.toString(), "--type=access").exit()).isZero();
    assertThat(stored("access")).hasSize(12_001);
  }

  @Test
  void stackTracesKeepTheirLinesAndTheirOrder() throws Exception {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 1_500; i++) {
      log.append(time(i / 400)).append(" ERROR request ").append(i).append(" failed\n");
      log.append("java.io.IOException: closed\n\tat shop.Cart.pay(Cart.java:12)\n");
      log.append("\tat shop.Cart.pay(Cart.java:12)\n\t... 3 more\n");
    }
    Path file = Files.writeString(folder.resolve("traces"), log);
    assertThat(run("import", file.toString(), "--type=traces").exit()).isZero();
    String stored =
        stored("traces").stream()
            .map(event -> new JsonObject(event).getJsonObject("data").getString("message"))
            .collect(Collectors.joining("\n"));
    assertThat(stored + "\n").isEqualTo(log.toString());
  }

  @Test
  void theReportBeginsWithLinesWithoutATime() throws Exception {
    Path file =
        Files.writeString(folder.resolve("untimed"), "hello\n{\"message\":\"hi\"}\n{\"a\":\n");
    Program.Result done = run("import", file.toString(), "--type=untimed");
    assertThat(done.exit()).as(done.toString()).isEqualTo(1);
    assertThat(done.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .startsWith(
            "NO TIME 2 of 2 events have no time and got the time of receipt;"
                + " --time-field names the field that has it")
        .contains("refused 1 event")
        .anyMatch(line -> line.startsWith("1: ") && line.endsWith(" (line 3)"));
  }

  @Test
  @Tag(Tier.IN_FULL)
  void aPipeIsImportedUntilASignal() throws Exception {
    Path out = folder.resolve("piped.out");
    ProcessBuilder builder =
        Program.builder("import", "-", "--default-type=piped")
            .redirectOutput(out.toFile())
            .redirectError(folder.resolve("piped.err").toFile());
    builder.environment().put("HOURGLASS_TARGET", server.address());
    Process process = builder.start();
    try {
      OutputStream in = process.getOutputStream();
      for (int i = 0; i < 2; i++) {
        in.write(utf8(time(i) + " piped\n"));
        in.flush();
        int expected = i + 1;
        await().until(() -> stored("piped").size() == expected || !process.isAlive());
      }
      // Process.destroy would close the pipe too.
      String pid = String.valueOf(process.pid());
      assertThat(new ProcessBuilder("kill", "-TERM", pid).start().waitFor()).isZero();
      assertThat(process.waitFor()).isEqualTo(1);
      assertThat(Files.readString(out)).contains("STOPPED   by a signal", "stored    2 events");
    } finally {
      process.destroyForcibly();
    }
  }
}
