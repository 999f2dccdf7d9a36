package hourglass.program.shippers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.FreePorts;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An event by each protocol of shippers is in the store; {@link ShippersIT} has the shippers. */
@Tag(Tier.IN_FIRST)
class ProtocolsIT {
  private static final String TIME = "2026-11-20T08:30:00.0000000Z";

  @TempDir private static Path folder;

  private static ServerProcess server;
  private static int syslog;

  @BeforeAll
  static void start() throws Exception {
    syslog = FreePorts.next();
    server = ServerProcess.start(folder, "syslog.listen=[\"tcp://127.0.0.1:" + syslog + "\"]");
  }

  @AfterAll
  static void stop() throws Exception {
    assertThat(server.terminate()).as(server.log()).isZero();
    assertThat(server.log()).doesNotContain(" ERROR ");
  }

  private static void push(String path, String contentType, String body) throws Exception {
    HttpResponse<String> answer = server.post(path, contentType, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 204);
  }

  /** The event of a type, which is at {@link #TIME} and has these texts. */
  private static void isStored(String type, String... texts) throws Exception {
    String path = "/api/v1/events?format=ndjson&hour=2026-11-20T08&type=" + type;
    await().until(() -> !server.get(path).body().isEmpty());
    assertThat(server.get(path).body().lines())
        .singleElement()
        .asString()
        .contains("\"time\":\"" + TIME + "\"")
        .contains(texts);
  }

  @Test
  void aLokiPushIsStored() throws Exception {
    String line = "[\"1795163400000000000\",\"hello loki\"]";
    push(
        "/loki/api/v1/push",
        "application/json",
        "{\"streams\":[{\"stream\":{\"service_name\":\"by-loki\"},\"values\":[" + line + "]}]}");
    isStored("by-loki", "hello loki");
  }

  @Test
  void anElasticsearchBulkIsStored() throws Exception {
    push(
        "/_bulk",
        "application/x-ndjson",
        """
        {"create":{"_index":"by-elastic","_id":"1"}}
        {"@timestamp":"2026-11-20T08:30:00Z","message":"hello elastic"}
        """);
    isStored("by-elastic", "hello elastic");
  }

  @Test
  void aSplunkEventIsStored() throws Exception {
    push(
        "/services/collector/event",
        "application/json",
        "{\"event\":\"hello splunk\",\"time\":1795163400,\"sourcetype\":\"by-splunk\"}");
    isStored("by-splunk", "hello splunk");
  }

  @Test
  void anOpenTelemetryExportIsStored() throws Exception {
    push(
        "/v1/logs",
        "application/json",
        """
        {"resourceLogs":[{
          "resource":{"attributes":[{"key":"service.name","value":{"stringValue":"by-otlp"}}]},
          "scopeLogs":[{"logRecords":[
            {"timeUnixNano":"1795163400000000000","body":{"stringValue":"hello otlp"}}]}]}]}
        """);
    isStored("by-otlp", "hello otlp");
  }

  @Test
  void aJournalUploadIsStored() throws Exception {
    push(
        "/upload",
        "application/vnd.fdo.journal",
        """
        __CURSOR=s=954dd9cef63940bdaa5674718310da42;i=1
        __REALTIME_TIMESTAMP=1795163400000000
        SYSLOG_IDENTIFIER=by-journal
        MESSAGE=hello journal

        """);
    isStored("by-journal", "hello journal");
  }

  @Test
  void aSyslogMessageIsStored() throws Exception {
    try (Socket sender = RawHttp.connect(syslog)) {
      String message = "<165>1 2026-11-20T08:30:00Z host1 by-syslog 123 - - hello syslog\n";
      sender.getOutputStream().write(message.getBytes(UTF_8));
      sender.shutdownOutput();
      isStored("by-syslog", "hello syslog", "\"hostname\":\"host1\"");
    }
  }
}
