package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.settings.LogFormat;
import hourglass.config.settings.Settings;
import hourglass.config.settings.SettingsSources;
import hourglass.testing.Patience;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A diagnosis costs time and memory, so requests for it are bounded. */
class DiagnosisRouteTest {
  @TempDir private Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();
  private final ProcessMeters process = new ProcessMeters(Clock.systemUTC());
  private final ServerLog log = ServerLog.start(LogFormat.TEXT);

  /** The diagnoses that were begun, and those that may continue. */
  private final AtomicInteger begun = new AtomicInteger();

  private final Semaphore mayContinue = new Semaphore(0);
  private int port;

  /** The clock is read once for each diagnosis. */
  private Instant now() {
    begun.incrementAndGet();
    try {
      assertThat(mayContinue.tryAcquire(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return Instant.EPOCH;
  }

  @BeforeEach
  void listen() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.conf"), "");
    Settings settings = Settings.load(new SettingsSources(empty, Map.of(), List.of()));
    Router router = Router.router(vertx);
    ProblemPages.mount(router);
    new DiagnosisRoute(settings, this::now, process, log).mount(router);
    port =
        vertx
            .createHttpServer()
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)
            .actualPort();
  }

  @AfterEach
  void close() throws Exception {
    mayContinue.release(100);
    vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    log.close();
    process.close();
  }

  private CompletableFuture<HttpResponse<String>> ask(String method) {
    return client.sendAsync(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + DiagnosisRoute.PATH))
            .method(method, BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void aSecondDiagnosisIsRefusedUntilTheFirstIsSent() {
    CompletableFuture<HttpResponse<String>> first = ask("GET");
    await().until(() -> begun.get() == 1);
    HttpResponse<String> second = ask("GET").join();
    assertThat(second.statusCode()).isEqualTo(429);
    assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(second.body()).contains("another diagnosis is on its way");
    assertThat(begun).hasValue(1);
    mayContinue.release(100);
    assertThat(first.join().body()).contains("== threads ==");
    await().until(() -> ask("GET").join().statusCode() == 200);
  }

  @Test
  void theHeadersAloneCostNoDiagnosis() {
    HttpResponse<String> head = ask("HEAD").join();
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
    assertThat(begun).hasValue(0);
  }
}
