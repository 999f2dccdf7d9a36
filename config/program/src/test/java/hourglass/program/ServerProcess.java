package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.cli.TunedServe;
import hourglass.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** `hourglass serve` as a child process on a free port, with its data in a folder of the test. */
public final class ServerProcess implements AutoCloseable {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Path folder;
  private final Function<String[], ProcessBuilder> program;
  private final Map<String, String> environment;
  private final String[] settings;
  private final Process process;
  private final Path out;
  private final Path err;
  private final String address;

  private ServerProcess(
      Path folder,
      Function<String[], ProcessBuilder> program,
      Map<String, String> environment,
      String... settings)
      throws IOException {
    this.folder = folder;
    this.program = program;
    this.environment = environment;
    this.settings = settings;
    this.out = Files.createTempFile(folder, "serve", ".out");
    this.err = Files.createTempFile(folder, "serve", ".err");
    ProcessBuilder builder = program.apply(arguments(folder, settings));
    builder.environment().putAll(environment);
    this.process =
        builder
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> read(out).contains("\n") || !process.isAlive());
      if (!read(out).startsWith("ready http")) {
        throw new AssertionError("did not start: " + read(out) + read(err));
      }
    } catch (RuntimeException | Error e) {
      process.destroyForcibly();
      throw e;
    }
    this.address = read(out).strip().substring("ready ".length());
  }

  /**
   * Starts a server and waits until it serves.
   *
   * @param folder holds its data and its output
   * @param settings {@code key=value} each, also constants of {@link TunedServe}
   */
  public static ServerProcess start(Path folder, String... settings) throws IOException {
    return start(folder, Map.of(), settings);
  }

  public static ServerProcess start(
      Path folder, Map<String, String> environment, String... settings) throws IOException {
    boolean isTuned =
        Arrays.stream(settings).anyMatch(setting -> setting.startsWith(TunedServe.CONSTANT));
    return isTuned
        ? startBy(TunedServe.class, folder, environment, settings)
        : new ServerProcess(folder, Program::builder, environment, settings);
  }

  /** Starts a server by the start script of a distribution, with the flags that users have. */
  public static ServerProcess startInstalled(Path home, Path folder, String... settings)
      throws IOException {
    return new ServerProcess(
        folder, arguments -> Program.installed(home, arguments), Map.of(), settings);
  }

  /** Starts a server with a main class of the tests. */
  public static ServerProcess startBy(
      Class<?> main, Path folder, Map<String, String> environment, String... settings)
      throws IOException {
    return new ServerProcess(
        folder, arguments -> Program.builder(main, arguments), environment, settings);
  }

  /** The same server on the same data once more, after {@link #terminate} or {@link #kill}. */
  public ServerProcess restart() throws IOException {
    return restartWith(settings);
  }

  /** Another server on the same data. */
  public ServerProcess restartWith(String... settings) throws IOException {
    return new ServerProcess(folder, program, environment, settings);
  }

  /** Fills an hour with made-up events. */
  public void generate(String hour, int events) throws IOException, InterruptedException {
    String[] load = {
      "load",
      "generate",
      "--target=" + address,
      "--events=" + events,
      "--hour=" + hour,
      "--settle=0s"
    };
    Program.Result result = Program.run(folder, load);
    if (result.exit() != 0) {
      throw new AssertionError(result.err());
    }
  }

  /** Returns the address of the server, such as {@code http://127.0.0.1:41234}. */
  public String address() {
    return address;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until it says that its store answers; closes it if it ends. */
  public ServerProcess awaitReady() {
    try {
      await().until(() -> get("/health/ready").statusCode() == 200 || !isAlive());
      if (!isAlive()) {
        throw new AssertionError("ended: " + log());
      }
      return this;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  public int port() {
    return URI.create(address).getPort();
  }

  /** Its log so far. */
  public String log() {
    return read(err);
  }

  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  /** All metrics, in the text format of Prometheus. */
  public String metrics() throws IOException, InterruptedException {
    HttpResponse<String> answer = get("/metrics");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  /** The value of a metric without labels, in whole numbers. */
  public long metric(String name) throws IOException, InterruptedException {
    return metrics()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no metric " + name));
  }

  public HttpResponse<String> post(String path, String contentType, String body)
      throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", contentType)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  public URI uri(String path) {
    return URI.create(address + path);
  }

  /** SIGTERM; returns the exit code, or fails after a time that is longer than it may take. */
  public int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("did not end: " + log());
    }
    return process.exitValue();
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static String[] arguments(Path folder, String... settings) {
    List<String> arguments = new ArrayList<>(List.of("serve"));
    List<String> all =
        new ArrayList<>(List.of("http.port=0", "store.embedded.dir=" + folder.resolve("data")));
    all.addAll(Arrays.asList(settings));
    all.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    return arguments.toArray(String[]::new);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
