package hourglass.config.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import hourglass.config.server.RawHttp2.End;
import hourglass.config.server.RawHttp2.Stream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of gRPC to the whole program: keys, limits and paths are refused as gRPC wants it. */
class GrpcProgramTest {
  private static final String PACKAGE = "/opentelemetry.proto.collector.";
  private static final String LOGS = PACKAGE + "logs.v1.LogsService/Export";

  /** A prefix, and one record whose body is "hello". */
  private static final String MESSAGE = framed("\n\r\u0012\u000b\u0012\t*\u0007\n\u0005hello");

  @TempDir private static Path folder;

  private static KeyedServer server;
  private static RawHttp2 client;
  private static String ingest;
  private static String query;
  private static String some;
  private static String metrics;

  @BeforeAll
  static void start() throws Exception {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    ingest = KeyedServer.add(keys, "ingest", "*", null, Scope.INGEST);
    query = KeyedServer.add(keys, "query", "*", null, Scope.QUERY);
    some = KeyedServer.add(keys, "some", "shop.*", null, Scope.INGEST);
    metrics = KeyedServer.add(keys, "metrics", "*", null, Scope.METRICS);
    server =
        new KeyedServer(
            folder,
            keys,
            "audit.file=" + audit(),
            "ingest.max-body-bytes=100000",
            "ingest.max-event-bytes=50000");
    client = new RawHttp2(server.uri(""), "127.0.0.1", Http2Settings.defaultSettings());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static Path audit() {
    return folder.resolve("audit.log");
  }

  private static String framed(String message) {
    byte[] prefix = ByteBuffer.allocate(5).putInt(1, message.length()).array();
    return new String(prefix, ISO_8859_1) + message;
  }

  private static End call(String path, @Nullable String key, String body) throws Exception {
    Http2Headers head =
        RawHttp2.post(path).add("te", "trailers").add("content-type", "application/grpc");
    if (key != null) {
      head.add("authorization", "Bearer " + key);
    }
    Stream stream = client.send(head, false);
    client.send(stream, body, true);
    return client.end(stream);
  }

  private static void assertRefused(End answer, String code, String problem) {
    assertThat(answer.heads()).hasSize(1);
    Http2Headers head = answer.heads().get(0);
    assertThat(answer.status()).isEqualTo("200");
    assertThat(head.get("grpc-status")).as(head.toString()).hasToString(code);
    assertThat(head.get("grpc-message").toString()).contains(problem);
    assertThat(answer.body()).isEmpty();
  }

  private static void assertStored() throws Exception {
    End answer = call(LOGS, ingest, MESSAGE);
    assertThat(answer.isClean()).isTrue();
    assertThat(answer.status()).isEqualTo("200");
    assertThat(answer.body()).isEqualTo(framed(""));
    assertThat(answer.heads()).hasSize(2);
    assertThat(answer.heads().get(1).get("grpc-status")).hasToString("0");
  }

  private static void assertAudited(String what) {
    await().untilAsserted(() -> assertThat(Files.readString(audit())).contains(what));
  }

  @Test
  void aCallIsStored() throws Exception {
    assertStored();
  }

  @Test
  void keysAreRefusedWithCodesOfGrpc() throws Exception {
    assertRefused(call(LOGS, null, MESSAGE), "16", "this server wants a key");
    assertAudited("\"status\":401,\"reason\":\"no key\"");
    assertRefused(call(LOGS, "hg_wrong", MESSAGE), "16", "this key is unknown");
    assertRefused(call(LOGS, query, MESSAGE), "7", "the key query has no scope ingest");
    assertAudited("\"status\":403,\"reason\":\"not allowed\"");
    assertRefused(call(LOGS, some, MESSAGE), "7", "not allowed for this key");
    assertStored();
  }

  @Test
  void unknownServicesAreNotImplemented() throws Exception {
    String path = PACKAGE + "profiles.v1development.ProfilesService/Export";
    assertRefused(call(path, ingest, MESSAGE), "12", "there is nothing at " + path);
    assertStored();
  }

  @Test
  void aLargeCallIsRefusedAndTheConnectionStays() throws Exception {
    assertRefused(call(LOGS, ingest, framed("x".repeat(100_000))), "8", "more than 100000 bytes");
    for (int i = 0; i < 20; i++) { // more than the windows of the connection hold
      assertRefused(call(LOGS, null, framed("x".repeat(60_000))), "16", "this server wants a key");
    }
    assertStored();
  }

  @Test
  void metricsCountRefusalsByHttpStatus() throws Exception {
    call(LOGS, ingest, "no message");
    await()
        .untilAsserted(
            () -> {
              Http2Headers head =
                  RawHttp2.get("/metrics").add("authorization", "Bearer " + metrics);
              assertThat(client.end(client.send(head, true)).body())
                  .containsPattern(
                      "hourglass_ingest_requests_seconds_count\\{protocol=\"otlp\",status=\"400\"\\} 1");
            });
  }
}
