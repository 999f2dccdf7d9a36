package hourglass.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution runs where there is a Java runtime without a compiler, and no source tree. */
@Order(15)
@Tag(Tier.IN_FIRST)
class DistributionIT {
  private static final List<String> WORRIES = List.of("WARN", "ERROR", "[warning]", "[error");

  /** A slow machine writes an archive of classes in minutes. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final String MODULES =
      "java.compiler,java.desktop,java.logging,java.management,java.naming,java.net.http"
          + ",java.security.jgss,java.security.sasl,java.sql,jdk.crypto.ec,jdk.httpserver,jdk.jfr"
          + ",jdk.management,jdk.unsupported";
  private static final String LOADED = "loaded.log";
  private static final Pattern ADDRESS = Pattern.compile("dashboard (http://\\S+)/\n");

  @TempDir private static Path installed;

  private static Path home;
  private static Path jre;

  @TempDir private Path folder;

  @BeforeAll
  static void install() throws Exception {
    Path jdk = Path.of(System.getProperty("java.home"));
    jre = installed.resolve("jre");
    runs(jdk.resolve("bin/jlink").toString(), "--add-modules=" + MODULES, "--output=" + jre);
    home = Program.install(installed);
  }

  @Test
  @Tag(Tier.IN_FULL)
  void demoRunsWithoutACompiler() throws Exception {
    withDemo(
        "off",
        address -> {
          assertThat(get(address + "/index.html")).contains("<title>Hourglass</title>");
          assertThat(get(address + "/metrics")).contains("hourglass_build_info");
          await().atMost(PATIENCE).until(() -> hasPages(folder.resolve("data")));
        });
  }

  @Test
  @Tag(Tier.IN_FULL)
  void laterStartsMapTheClassesOfTheFirst() throws Exception {
    Path archives = folder.resolve("archives");
    withDemo(
        archives.toString(),
        address -> await().atMost(PATIENCE).until(() -> isComplete(files(archives, ""))));
    assertThat(mapsItsClasses()).as("the first").isFalse();
    Path archive = files(archives, "hourglass-").get(0);
    byte[] whole = Files.readAllBytes(archive);

    version(archives);
    assertThat(mapsItsClasses()).as("the second").isTrue();

    byte[] changed = whole.clone();
    changed[whole.length / 2] ^= 1;
    byte[] changedHead = whole.clone();
    changedHead[100] ^= 1;
    byte[] half = Arrays.copyOf(whole, whole.length / 2);
    for (byte[] damaged :
        List.of(new byte[0], half, changedHead, new byte[whole.length], changed)) {
      Files.delete(archive);
      Files.write(archive, damaged);
      version(archives);
      assertThat(mapsItsClasses()).isFalse();
    }

    withDemo(
        archives.toString(),
        address -> assertThat(archive).as("the next start makes another").doesNotExist());
  }

  @Test
  @Tag(Tier.IN_FULL)
  void theProgramRunsWithoutAWritableArchiveFolder() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    withDemo(file.resolve("archives").toString(), address -> {});
    Path readOnly = Files.createDirectory(folder.resolve("read-only"));
    assertThat(readOnly.toFile().setReadOnly()).isTrue();
    version(readOnly);
    assertThat(mapsItsClasses()).isFalse();
  }

  /** The command is that of the Dockerfile, run in a folder in place of its volume. */
  @Test
  void theImageHasItsOwnUserAndNeedsAKey() throws Exception {
    List<String> image = Files.readAllLines(home.resolve("Dockerfile"));
    assertThat(image).contains("USER 10001");
    Path data = Files.createDirectory(folder.resolve("data"));
    String keys = data.resolve("keys.conf").toString();
    String secret =
        runs(program("off", "key", "add", "admin", "--scope", "admin", "--file", keys)).strip();
    String command =
        image.stream().filter(line -> line.startsWith("CMD ")).findFirst().orElseThrow();
    List<String> arguments = new ArrayList<>();
    new JsonArray(command.substring("CMD ".length()).replace("=/data", "=" + data))
        .forEach(argument -> arguments.add(argument.toString()));
    arguments.add("--set=http.port=0");
    Path out = folder.resolve("out");
    Process serve =
        program("off", arguments.toArray(String[]::new)).redirectOutput(out.toFile()).start();
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> !serve.isAlive() || Files.readString(out).contains("ready http"));
      Matcher port = Pattern.compile("ready http://0.0.0.0:(\\d+)").matcher(Files.readString(out));
      assertThat(port.find()).as(Files.readString(out)).isTrue();
      URI types = URI.create("http://127.0.0.1:" + port.group(1) + "/api/v1/types");
      assertThat(status(HttpRequest.newBuilder(types))).isEqualTo(401);
      HttpRequest.Builder withKey =
          HttpRequest.newBuilder(types).header("Authorization", "Bearer " + secret);
      assertThat(status(withKey)).isEqualTo(200);
    } finally {
      serve.destroyForcibly();
    }
  }

  private static int status(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  private interface Check {
    void accept(String address) throws Exception;
  }

  /** Runs the demo until it was checked and has ended in order. */
  private void withDemo(String archives, Check check) throws Exception {
    Path out = folder.resolve("out");
    Process demo =
        program(
                archives,
                "demo",
                "--data=" + folder.resolve("data"),
                "--set=http.port=0",
                "--set=store.embedded.memory-budget=32 MiB")
            .redirectOutput(out.toFile())
            .start();
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> !demo.isAlive() || Files.readString(out).contains("\nlive "));
      String said = Files.readString(out);
      Matcher address = ADDRESS.matcher(said);
      assertThat(address.find()).as(said).isTrue();
      check.accept(address.group(1));
      demo.destroy();
      assertThat(demo.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(out).lines())
          .filteredOn(line -> !line.contains("BlockedThreadChecker")) // a slow machine
          .noneMatch(line -> WORRIES.stream().anyMatch(line::contains));
      assertThat(demo.exitValue()).isZero();
    } finally {
      demo.destroyForcibly();
    }
  }

  /** The shortest command, which says its version and nothing else. */
  private void version(Path archives) throws Exception {
    assertThat(runs(program(archives.toString(), "version"))).matches("hourglass .*\n");
  }

  private ProcessBuilder program(String archives, String... arguments) {
    ProcessBuilder builder = Program.installed(home, arguments);
    builder.environment().put("JAVA_HOME", jre.toString());
    builder.environment().put("JAVA_OPTS", "-Xlog:class+load:file=" + LOADED);
    builder.environment().put("CLASS_ARCHIVE", archives);
    return builder.directory(folder.toFile()).redirectErrorStream(true);
  }

  /** Whether the last process did not parse the program's classes. */
  private boolean mapsItsClasses() throws IOException {
    String loaded = Files.readString(folder.resolve(LOADED));
    return loaded.contains("hourglass.config.cli.Main source: shared objects file");
  }

  /** Neither a list of classes nor a part of an archive is left. */
  private static boolean isComplete(List<Path> archives) {
    return archives.size() == 1 && archives.get(0).toString().endsWith(".jsa");
  }

  private static List<Path> files(Path folder, String prefix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith(prefix)).toList();
    }
  }

  /** Whether Chronicle Map has been used, which is what would have needed the compiler. */
  private static boolean hasPages(Path data) {
    try (Stream<Path> files = Files.walk(data)) {
      return files.anyMatch(file -> file.getFileName().toString().endsWith(".pages"));
    } catch (IOException | UncheckedIOException e) {
      return false; // a file that was deleted meanwhile
    }
  }

  private static String get(String address) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
        .body();
  }

  private static String runs(String... command) throws Exception {
    return runs(new ProcessBuilder(command));
  }

  private static String runs(ProcessBuilder command) throws Exception {
    Process process = command.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
