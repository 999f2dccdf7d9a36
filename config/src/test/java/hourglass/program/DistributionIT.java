package hourglass.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution runs where there is a Java runtime without a compiler, and no source tree. */
class DistributionIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final String MODULES =
      "java.compiler,java.desktop,java.logging,java.management,java.naming,java.net.http"
          + ",java.security.jgss,java.security.sasl,java.sql,jdk.crypto.ec,jdk.httpserver,jdk.jfr"
          + ",jdk.management,jdk.unsupported";
  private static final Pattern ADDRESS = Pattern.compile("dashboard (http://\\S+)/\n");

  @Test
  void demoRunsWithoutACompiler(@TempDir Path folder) throws Exception {
    String archive =
        System.getProperty("hourglass.distribution", "target/hourglass-0.1.0-SNAPSHOT.tar.gz");
    Path jdk = Path.of(System.getProperty("java.home"));
    Path jre = folder.resolve("jre");
    run(folder, "tar", "xzf", Path.of(archive).toAbsolutePath().toString());
    run(folder, jdk.resolve("bin/jlink").toString(), "--add-modules=" + MODULES, "--output=" + jre);

    Path out = folder.resolve("out");
    Process demo = demo(folder, jre).redirectOutput(out.toFile()).start();
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> !demo.isAlive() || ADDRESS.matcher(Files.readString(out)).find());
      String said = Files.readString(out);
      Matcher address = ADDRESS.matcher(said);
      assertThat(address.find()).as(said).isTrue();
      assertThat(get(address.group(1) + "/")).contains("<title>Hourglass</title>");
      assertThat(get(address.group(1) + "/metrics")).contains("hourglass_build_info");
      await().atMost(PATIENCE).until(() -> hasPages(folder.resolve("data")));
      demo.destroy();
      assertThat(demo.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(out)).doesNotContain("WARN", "ERROR");
      assertThat(demo.exitValue()).isZero();
    } finally {
      demo.destroyForcibly();
    }
  }

  private static ProcessBuilder demo(Path folder, Path jre) throws IOException {
    try (Stream<Path> unpacked = Files.list(folder)) {
      Path home =
          unpacked
              .filter(path -> path.getFileName().toString().startsWith("hourglass-"))
              .findFirst()
              .orElseThrow();
      ProcessBuilder builder =
          new ProcessBuilder(
              home.resolve("bin/hourglass").toString(),
              "demo",
              "--data=" + folder.resolve("data"),
              "--set=http.port=0",
              "--set=store.embedded.flush-idle=10ms");
      builder.environment().keySet().removeIf(name -> name.startsWith("HOURGLASS_"));
      builder.environment().put("JAVA_HOME", jre.toString());
      return builder.directory(folder.toFile()).redirectErrorStream(true);
    }
  }

  /** Whether Chronicle Map has been used, which is what would have needed the compiler. */
  private static boolean hasPages(Path data) {
    try (Stream<Path> files = Files.walk(data)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith("pages."));
    } catch (IOException | UncheckedIOException e) {
      return false; // a file that was deleted meanwhile
    }
  }

  private static String get(String address) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
        .body();
  }

  private static void run(Path folder, String... command) throws Exception {
    Process process =
        new ProcessBuilder(List.of(command))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
