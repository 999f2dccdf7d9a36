package hourglass.ingest.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.Limits;
import hourglass.access.Quotas;
import hourglass.bytes.Rfc3339;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.Memory;
import hourglass.testing.Patience;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamPushTest {
  private static final Texts TEXTS = new Texts();

  private static IngestServer server;
  private static HttpClient client;

  /** The body is the text of one event. */
  private static final class Texts extends PushProtocol {
    private volatile int shortReads;
    private volatile int shortEnds;

    /** The memory of all requests at each try to read a piece for which memory is short. */
    private final List<Long> usedWhileShort = new CopyOnWriteArrayList<>();

    private Texts() {
      super("texts", PushRules.ofProtocol("text", IdentityRule.NONE));
    }

    @Override
    public void mount(Router router, IngestRoutes pushes) {
      router
          .post("/texts")
          .handler(ctx -> pushes.stream(this, ctx, (memory, maxEventBytes) -> new Text(memory)));
    }

    @Override
    public void mountForm(Router router, Handler<RoutingContext> form) {}

    @Override
    public void refuse(RoutingContext ctx, PushRefused refused) {
      ctx.response().setStatusCode(refused.status()).end(refused.detail());
    }
  }

  private static final class Text implements StreamDecoder {
    private final Memory memory;
    private final StringBuilder text = new StringBuilder();

    private Text(Memory memory) {
      this.memory = memory;
    }

    @Override
    public void read(Buffer piece, ConvertedEvents events) {
      events.payload().beginObject();
      if (TEXTS.shortReads-- > 0) {
        TEXTS.usedWhileShort.add(server.service.inFlight().used());
        throw memory.tooMuch();
      }
      text.append(piece);
    }

    @Override
    public void end(ConvertedEvents events) {
      events.payload().beginObject().key("text").string(text.toString()).endObject();
      if (TEXTS.shortEnds-- > 0) {
        throw memory.tooMuch();
      }
      events.add(null, Rfc3339.NOT_A_TIME, null);
    }
  }

  @BeforeAll
  static void start() {
    server = new IngestServer(10, TEXTS);
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clear() {
    server.limit(new Quotas(Limits.NONE, System::nanoTime, limit -> {}));
    server.store.clear();
    TEXTS.shortReads = 0;
    TEXTS.shortEnds = 0;
    TEXTS.usedWhileShort.clear();
  }

  private static HttpResponse<String> push(String text) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url("/texts")))
            .timeout(Patience.LONGEST)
            .POST(BodyPublishers.ofByteArray(text.getBytes(UTF_8)))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "5, 0", "0, 5", "40, 0", "0, 40"})
  void aChunkWaitsForMemory(int shortReads, int shortEnds) throws Exception {
    TEXTS.shortReads = shortReads;
    TEXTS.shortEnds = shortEnds;
    String text = "x".repeat(50_000);
    assertThat(push(text).statusCode()).isEqualTo(200);
    assertThat(server.store.payloads()).containsExactly("{\"text\":\"" + text + "\"}");
    assertThat(server.service.inFlight().used()).isZero();
  }

  @Test
  void aWaitingChunkIsReservedOnce() throws Exception {
    TEXTS.shortReads = 3;
    assertThat(push("x".repeat(1_000)).statusCode()).isEqualTo(200);
    List<Long> used = TEXTS.usedWhileShort;
    assertThat(used.get(1) - used.get(0)).isEqualTo(1_000);
    assertThat(used.get(2)).isEqualTo(used.get(1));
    assertThat(server.service.inFlight().used()).isZero();
  }

  @Test
  void lastingMemoryShortageEndsTheStream() throws Exception {
    TEXTS.shortReads = Integer.MAX_VALUE;
    HttpResponse<String> answer = push("x");
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.body()).contains("too many bytes in flight");
    assertThat(TEXTS.shortReads).as("it was tried again").isEqualTo(Integer.MAX_VALUE - 61);
    assertThat(server.service.inFlight().used()).isZero();
  }

  /** The quota has 1,000 bytes and is not refilled. */
  @Test
  void aWaitingChunkIsChargedToTheQuotaOnce() throws Exception {
    server.limit(new Quotas(new Limits(0, 1_000, 0, 0, 0, 0), () -> 0, limit -> {}));
    TEXTS.shortReads = 20;
    assertThat(push("x".repeat(500)).statusCode()).isEqualTo(200);
  }
}
