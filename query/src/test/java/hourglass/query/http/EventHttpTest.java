package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventHttpTest {
  private final OracleStore oracle = new OracleStore();
  private final LatentStore store = new LatentStore(oracle);
  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build());

  EventHttpTest() {
    Fill.row(store, "a", 3);
    Fill.row(store, "b", 2);
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private QueryServer.Reply get(int number, String parameters) {
    long ticks = Fill.HOUR.startTicks() + number * Ticks.PER_SECOND;
    return server.get("/api/v1/events/" + TimeUuid.first(ticks) + parameters);
  }

  @Test
  void anEventIsAnsweredAsInAPage() {
    QueryServer.Reply reply = get(2, "");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers()).containsEntry("Content-Type", "application/json");
    assertThat(server.get("/api/v1/events?order=desc&limit=1").body()).contains(reply.body());
  }

  @Test
  void anIdOfSeveralTypesNeedsAType() {
    assertThat(get(1, "").status()).isEqualTo(400);
    assertThat(get(1, "").body()).contains("want one of a, b");
    assertThat(get(1, "?type=b").body()).contains("\"type\":\"b\",\"data\":{\"n\":1}");
    assertThat(get(1, "?type=a&type=c").body()).contains("\"type\":\"a\"");
  }

  @Test
  void anAbsentEventIsNotFound() {
    assertThat(get(7, "").status()).isEqualTo(404);
    assertThat(get(2, "?type=b").status()).isEqualTo(404);
    assertThat(get(2, "?type=b").body()).contains("there is no event");
    String before2000 = "8a2f6c10-c5e5-1001-9d3a-0242ac120002";
    assertThat(server.get("/api/v1/events/" + before2000).status()).isEqualTo(404);
  }

  @Test
  void anInvalidIdIsRefused() {
    QueryServer.Reply reply = server.get("/api/v1/events/7");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("id: \"7\"", "time UUID");
    assertThat(get(2, "?limit=1").status()).isEqualTo(400);
  }
}
