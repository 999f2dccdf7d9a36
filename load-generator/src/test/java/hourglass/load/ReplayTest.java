package hourglass.load;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.load.client.FakeTarget;
import hourglass.load.client.Misbehaviour;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplayTest {
  private static final String NESTED =
      """
      {"_path":"dns","meta":{"ts":1521911720.600843},"id.orig_h":"10.0.0.1"}

      {"_path":"dns","meta":{"ts":1521911720600},"n":2}
        \s
      {"_path":"http","meta":{"ts":"2018-03-24T18:15:20.5+01:00"},"n":3}\r
      {"meta":{"ts":1521911720}}
      not json
      {"_path":"http","meta":{"ts":"2018-03-24T17:15:20Z"},"n":4}""";

  @TempDir private Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("events.ndjson"), text);
  }

  private Path gzipFile(String text) throws IOException {
    Path file = directory.resolve("events.ndjson.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  private static LoadRunner replay(FakeTarget target, Path file, String... more) {
    String[] args = new String[more.length + 3];
    args[0] = "replay";
    args[1] = file.toString();
    args[2] = "--verify";
    System.arraycopy(more, 0, args, 3, more.length);
    return LoadRunner.load(target.uri(), args);
  }

  @Test
  void anyJsonIsMappedAndVerified() throws IOException {
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run =
          replay(target, gzipFile(NESTED), "--type-field", "_path", "--time-field", "meta.ts");
      assertThat(run.out()).as(run.err()).contains("4 accepted, 2 rejected");
      assertThat(run.out()).contains("verified  4 events expected, 4 read back in order, 2 types");
      assertThat(run.exit()).isZero();
    }
  }

  @Test
  void theReportPageIsSelfContained() throws IOException {
    String text = "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\"}\n{\"a\":\"</script>\"\n";
    Path html = directory.resolve("report.html");
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run = replay(target, file(text), "--html=" + html);
      assertThat(run.out()).as(run.err()).contains("1 accepted, 1 rejected");
    }
    String page = Files.readString(html);
    assertThat(page)
        .startsWith("<!doctype html>")
        .contains("1 accepted, 1 rejected", "\"1 events expected, 1 read back", "interval_seconds")
        .doesNotContain(
            "<script src", "<link", "href=", "@import", "${report", "${script", "${uplot");
    String report = page.substring(page.indexOf("id=\"report\""), page.indexOf("</script>"));
    assertThat(report)
        .contains("\"settings\" : {", "\"file\" : ")
        .doesNotContain("NaN", "Infinity");
  }

  @Test
  void reportsNeedAFolder() throws IOException {
    try (FakeTarget target = new FakeTarget()) {
      for (String option : new String[] {"--html", "--json"}) {
        LoadRunner run = replay(target, file("{}"), option + "=" + directory.resolve("no/file"));
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(option + ": ", "want a file in a folder that is there");
      }
    }
  }

  @Test
  void equalIdempotencyKeysStoreNothingTwice() throws IOException {
    try (FakeTarget target = new FakeTarget()) {
      Path file = file(lines(1000, "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:%02dZ\",\"n\":7}"));
      for (int round = 0; round < 2; round++) {
        LoadRunner run = replay(target, file, "--idempotency-key", "twice", "--batch", "64");
        assertThat(run.out()).as(run.err()).contains("verified  1,000 events expected, 1,000 read");
        assertThat(run.exit()).isZero();
      }
      assertThat(target.size()).isEqualTo(1000);
      assertThat(target.keysSeen()).hasSize(32).contains("twice-0", "twice-15");
    }
  }

  @Test
  void ignoredIdempotencyKeysAreDetected() throws IOException {
    try (FakeTarget target = new FakeTarget(Misbehaviour.FORGETS_IDENTITY)) {
      Path file = file(lines(100, "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:%02dZ\",\"n\":7}"));
      replay(target, file, "--idempotency-key", "twice");
      LoadRunner second = replay(target, file, "--idempotency-key", "twice");
      assertThat(second.out()).as(second.err()).contains("100 doubled");
      assertThat(second.exit()).isEqualTo(1);
    }
  }

  @Test
  void expectsOneEventForEachIdentity() throws IOException {
    String text =
        """
        {"type":"a","time":"2026-11-20T08:00:00Z","id":"x","n":1}
        {"type":"a","time":"2026-11-20T08:00:00Z","id":"x","n":1}
        {"type":"a","time":"2026-11-20T08:00:00Z","id":"x","n":2}
        {"type":"b","time":"2026-11-20T08:00:00Z","id":"x","n":1}
        {"type":"a","time":"2026-11-20T08:00:01Z","id":"x","n":1}
        """;
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run = replay(target, file(text));
      assertThat(run.out()).as(run.err()).contains("verified  3 events expected, 3 read back");
    }
    try (FakeTarget target = new FakeTarget(Misbehaviour.FORGETS_IDENTITY)) {
      assertThat(replay(target, file(text)).out()).contains("2 doubled");
    }
    try (FakeTarget target = new FakeTarget(Misbehaviour.LOSES_AN_EVENT)) {
      Path one =
          file(
              "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\",\"id\":\"x\"}\n".repeat(1)
                  + "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\",\"id\":\"y\"}\n");
      assertThat(replay(target, one).out()).contains("1 lost");
    }
  }

  @Test
  void comparesUntimedEventsWithoutTheirTimes() throws IOException {
    String text = lines(50, "{\"type\":\"a\",\"n\":%d}");
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run = replay(target, file(text), "--prepare");
      assertThat(run.out()).as(run.err()).contains("50 without a time got the time of receipt");
      assertThat(run.out()).contains("verified  50 events expected, 50 read back");
      assertThat(run.out()).contains("times were not compared");
    }
    try (FakeTarget target = new FakeTarget(Misbehaviour.LOSES_AN_EVENT)) {
      assertThat(replay(target, file(text)).out()).contains("1 lost");
    }
  }

  @Test
  void sendsAtMostTheGivenNumberOfEvents() throws IOException {
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run =
          replay(
              target,
              gzipFile(lines(100, "{\"type\":\"a\",\"n\":%d}")),
              "--events",
              "42",
              "--batch",
              "10",
              "--content-encoding",
              "gzip");
      assertThat(run.out()).as(run.err()).contains("42 accepted").contains("verified  42 events");
      assertThat(target.size()).isEqualTo(42);
    }
  }

  @Test
  void unlistedRejectionsMakeBatchUnsure() throws IOException {
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run = replay(target, file(lines(300, "{\"type\":\"a\",\"n\":%d}\nbad\n")));
      assertThat(run.out()).as(run.err()).contains("300 accepted, 300 rejected");
      assertThat(run.out()).contains("verified  0 events expected, 300 read back");
      assertThat(run.out()).contains("300 of unknown fate are stored");
    }
  }

  private static String lines(int count, String format) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(String.format(format, i % 60)).append('\n');
    }
    return text.toString();
  }
}
