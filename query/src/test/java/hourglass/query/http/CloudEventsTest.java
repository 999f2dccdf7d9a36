package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.OracleStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventsTest {
  private static final String BATCH = "/api/v1/events?format=cloudevents";

  private final OracleStore store = new OracleStore();
  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build());
  private int written;

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private TimeUuid write(String type, String payload) {
    TimeUuid name = TimeUuid.first(Fill.HOUR.startTicks() + written++ * Ticks.PER_MILLI);
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder column = new ColumnsBuilder(1, bytes.length);
    column.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    RowKey row = new RowKey(Fill.HOUR, type, 0);
    store.write(List.of(new Mutation(row, column.build()))).toCompletableFuture().join();
    return name;
  }

  private JsonNode batch(String path) throws IOException {
    Reply reply = server.get(path);
    assertThat(reply.headers())
        .containsEntry("Content-Type", "application/cloudevents-batch+json")
        .containsEntry("Hourglass-Complete", "true");
    return new ObjectMapper().readTree(reply.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"/s\",\"type\":\"a\",\"data\":{\"n\":1}}",
        "{ \"data_base64\" : \"AAEC\",\"type\":\"a\", \"source\":\"/s\",\n\"id\":\"7\","
            + " \"specversion\":\"1.0\",\"ext\":true}",
        "{\"\\u0073pecversion\":\"1.0\",\"id\":\"7\",\"source\":\"/s\",\"type\":\"a\"}",
      })
  void cloudEventsAreReturnedUnchanged(String payload) {
    write("a", payload);
    write("a", payload);
    assertThat(server.get(BATCH).body()).isEqualTo("[" + payload + "," + payload + "]");
  }

  @Test
  void numbersAndNamesOfAnyLengthAreReturned() {
    String payload =
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"/s\",\"type\":\"a\",\"n\":%s,\"%s\":1}"
            .formatted("9".repeat(2_000), "k".repeat(60_000));
    write("a", payload);
    assertThat(server.get(BATCH).body()).isEqualTo("[" + payload + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"n\":1}",
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"/s\"}",
        "{\"specversion\":\"0.3\",\"id\":\"7\",\"source\":\"/s\",\"type\":\"a\"}",
        "{\"specversion\":1.0,\"id\":\"7\",\"source\":\"/s\",\"type\":\"a\"}",
        "{\"specversion\":\"1.0\",\"id\":\"\",\"source\":\"/s\",\"type\":\"a\"}",
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"id\":\"8\",\"source\":\"/s\"}",
        "{\"in\":{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"/s\",\"type\":\"a\"}}",
      })
  void otherEventsBecomeTheDataOfACloudEvent(String payload) throws IOException {
    TimeUuid name = write("größe \"1\"", payload);
    String json = server.get(BATCH).body();
    assertThat(json)
        .isEqualTo(
            "[{\"specversion\":\"1.0\",\"id\":\""
                + name
                + "\",\"source\":\"/api/v1/events?type=gr%C3%B6%C3%9Fe+%221%22\","
                + "\"type\":\"größe \\\"1\\\"\",\"time\":\"2026-11-20T08:00:00.0000000Z\","
                + "\"datacontenttype\":\"application/json\",\"data\":"
                + payload
                + "}]");
    assertThat(batch(BATCH).get(0).get("type").asText()).isEqualTo("größe \"1\"");
  }

  @Test
  void theSourceLeadsToEventsOfTheType() throws IOException {
    write("größe \"1\"", "{\"n\":1}");
    write("other", "{\"n\":2}");
    String source = batch(BATCH).get(0).get("source").asText();
    assertThat(server.lines(source + "&format=raw")).containsExactly("{\"n\":1}");
  }

  @Test
  void aBatchContainsBothKindsInOrder() throws IOException {
    for (int i = 0; i < 3000; i++) {
      write("b", "{\"n\":" + i + "}");
      write(
          "a",
          "{\"specversion\":\"1.0\",\"id\":\"%d\",\"source\":\"/s\",\"type\":\"a\"}".formatted(i));
    }
    for (String limit : List.of("&limit=6000", "&limit=all")) {
      Reply reply = server.get(BATCH + limit);
      JsonNode events = new ObjectMapper().readTree(reply.body());
      assertThat(events).hasSize(6000);
      for (int i = 0; i < 3000; i++) {
        assertThat(events.get(2 * i).get("data").get("n").asInt()).isEqualTo(i);
        assertThat(events.get(2 * i + 1).get("id").asText()).isEqualTo("" + i);
      }
    }
  }

  @Test
  void anEmptyAnswerIsAnEmptyBatch() {
    assertThat(server.get(BATCH).body()).isEqualTo("[]");
    assertThat(server.get(BATCH + "&limit=all").body()).isEqualTo("[]");
  }

  @Test
  void pagesLinkToTheNext() throws IOException {
    Fill.row(store, "t", 5);
    Reply page = server.get(BATCH + "&limit=3");
    assertThat(page.headers().get("Link")).contains("format=cloudevents");
    assertThat(batch(BATCH + "&cursor=" + page.headers().get("Hourglass-Cursor"))).hasSize(2);
  }
}
