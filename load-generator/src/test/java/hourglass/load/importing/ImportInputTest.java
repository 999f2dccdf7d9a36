package hourglass.load.importing;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The events of an import are found in inputs of every form, and sent in parts. */
final class ImportInputTest {
  @TempDir private Path directory;

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
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
  void eventsAreFoundInAnyInput(String what, String text, @Nullable String events)
      throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.pipe(server, text.replace('~', '\n'), "--received");
      assertThat(run.exit()).as(what + run).isZero();
      assertThat(server.stored())
          .containsExactlyInAnyOrder(events == null ? new String[0] : events.split(";"));
    }
  }

  @Test
  void aBrokenJsonLineIsNotStoredAsText() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.pipe(server, ImportRun.TIMED + "{\"a\":\n");
      assertThat(run.lines()).as(run.err()).contains("1: not JSON (line 3)");
      assertThat(server.stored()).hasSize(2);
    }
  }

  @Test
  void aLineBreakWithinAStringIsRefused() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.pipe(server, "[{\"a\":\"x\ny\"},\n{\"b\":1}]");
      assertThat(run.lines()).as(run.err()).contains("1: not JSON (event 1)");
      assertThat(server.stored()).containsExactly("{\"b\":1}");
    }
  }

  @Test
  void linesThatBeginLikeJsonAreNotStoredAsText() throws IOException {
    try (FakeIntake server = new FakeIntake()) {
      ImportRun.pipe(server, "{\"time\": \"2026-11-20T08:00:00Z\",\n \"type\": \"a\"}\n");
      assertThat(server.stored()).hasSize(1);
      ImportRun run = ImportRun.pipe(server, "{\"a\":1}\n{\"b\":\"x\ny\"}\n", "--received");
      assertThat(run.exit()).isEqualTo(1);
      assertThat(server.stored()).hasSize(2);
      ImportRun.pipe(server, "{\"a\":1}\ntext\n", "--mixed");
      assertThat(server.stored()).hasSize(4).contains("text");
    }
  }

  @Test
  void compressedFilesAreRead() throws IOException {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(gzip)) {
      out.write(ImportRun.TIMED.getBytes(StandardCharsets.UTF_8));
    }
    byte[] zstd = Zstd.compress(ImportRun.TIMED.getBytes(StandardCharsets.UTF_8));
    String first = Files.write(directory.resolve("a.gz"), gzip.toByteArray()).toString();
    try (FakeIntake server = new FakeIntake()) {
      assertThat(ImportRun.run(new ByteArrayInputStream(zstd), server, "-", "--type=z").exit())
          .isZero();
      assertThat(ImportRun.run(server, first).lines()).contains("read 2 lines from " + first);
      assertThat(server.stored()).hasSize(4); // an equal file at another place is another one
    }
  }

  @Test
  void damagedFilesFailByNameAfterTheirIntactEvents() throws IOException {
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
      ImportRun run = ImportRun.run(server, cut.toString());
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.lines())
          .anyMatch(line -> line.contains("STOPPED " + cut + ": it ends too early"));
      assertThat(server.stored()).hasSizeGreaterThan(10_000);
      ImportRun ofArray = ImportRun.run(server, array);
      assertThat(ofArray.err()).contains(array + ": it ends too early, after 1 whole events");
      String binary = file("binary", "a\0b");
      assertThat(ImportRun.run(server, binary).err())
          .contains(binary + ": neither text in UTF-8 nor gzip");
    }
  }

  @Test
  void aPipeIsSentWhenItsWriterPauses() throws Exception {
    try (FakeIntake server = new FakeIntake();
        PipedOutputStream writer = new PipedOutputStream()) {
      PipedInputStream pipe = new PipedInputStream(writer);
      CompletableFuture<ImportRun> run =
          CompletableFuture.supplyAsync(() -> ImportRun.run(pipe, server, "-"));
      for (String line : ImportRun.TIMED.lines().toList()) {
        int before = server.stored().size();
        writer.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        writer.flush();
        Awaitility.await().until(() -> server.stored().size() == before + 1);
      }
      writer.close();
      assertThat(run.get().exit()).isZero();
    }
  }

  @Test
  void aNamedPipeIsReadOnce() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path file = Files.writeString(directory.resolve("file"), ImportRun.TIMED);
    Process writer = new ProcessBuilder("cp", file.toString(), pipe.toString()).start();
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.run(server, pipe.toString());
      assertThat(run.lines()).as(run.err()).contains("read 2 lines from " + pipe);
      assertThat(server.stored()).hasSize(2);
    } finally {
      writer.destroyForcibly();
    }
  }

  @Test
  void manyLinesBecomeSeveralRequestsAndEachIsStoredOnce() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 12_000; i++) {
      // 4,990 to 5,010 are equal
      int n = i >= 4_990 && i <= 5_010 ? 4_990 : i;
      lines.add("{\"time\":\"2026-11-20T08:00:00Z\",\"n\":%d}".formatted(n));
    }
    String file = file("many", String.join("\n", lines));
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.run(server, file);
      assertThat(run.lines()).as(run.err()).contains("read 12,000 lines from " + file);
      assertThat(server.stored()).containsExactlyInAnyOrderElementsOf(lines);
      assertThat(server.queries()).hasSize(3);
      ImportRun.run(server, file);
      assertThat(server.stored()).hasSize(12_000);
    }
  }

  @Test
  void requestsDoNotDivideStackTraces() throws IOException {
    String event = "2026-11-20T08:00:00Z failed %d\njava.io.IOException: closed\n\tat a.B\n";
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4_000; i++) {
      text.append(event.formatted(i));
    }
    try (FakeIntake server = new FakeIntake()) {
      ImportRun run = ImportRun.pipe(server, text.toString(), "--received");
      assertThat(run.exit()).as(run.toString()).isZero();
      assertThat(server.stored()).hasSize(12_000);
      assertThat(server.firstLines()).hasSize(3).allMatch(line -> line.startsWith("2026-"));
    }
  }
}
