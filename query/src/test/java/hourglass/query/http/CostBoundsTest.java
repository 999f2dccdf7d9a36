package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four hours from 08 on, each with a row of type a (10 events of some 20 bytes) and one of b (5).
 */
class CostBoundsTest {
  private static final int HOURS = 4;
  private static final long ANY = 1L << 40;
  private static final String ALL = "/api/v1/events?limit=all&format=raw";

  private final LatentStore store = new LatentStore(new OracleStore());
  private QueryServer server;

  @BeforeEach
  void fill() {
    for (int i = 0; i < HOURS; i++) {
      Hour hour = new Hour(Fill.HOUR.epochHours() + i);
      Fill.row(store, new RowKey(hour, "a", 0), 10, "text");
      Fill.row(store, new RowKey(hour, "b", 0), 5, "text");
    }
  }

  private void serve(long rowsMax, long bytesMax) {
    QueryBounds bounds = new QueryBounds(rowsMax, bytesMax, 60_000);
    server = new QueryServer(store, QueryOptions.builder().bounds(bounds).sliceColumns(4).build());
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private JsonNode refused(String path) {
    Reply reply = server.get(path);
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.headers())
        .containsEntry("Content-Type", "application/problem+json")
        .doesNotContainKeys("Trailer", "Content-Disposition", "Content-Encoding");
    try {
      JsonNode problem = new ObjectMapper().readTree(reply.body());
      assertThat(problem.get("status").asInt()).isEqualTo(400);
      assertThat(problem.get("detail").asText()).startsWith(problem.get("bound").asText() + ": ");
      return problem;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void assertAnswered(String path, int events) {
    assertThat(server.get(path).status()).as(path).isEqualTo(200);
    assertThat(server.lines(path)).as(path).hasSize(events);
  }

  private static String range(JsonNode problem) {
    JsonNode fits = problem.get("fits");
    return "&from=" + fits.get("from").asText() + "&to=" + fits.get("to").asText();
  }

  @Test
  void aQueryOfTooManyRowsIsRefusedBeforeItReadsAny() {
    serve(7, ANY);
    JsonNode problem = refused(ALL + "&download=true");
    assertThat(store.slices()).isZero();
    assertThat(problem.get("bound").asText()).isEqualTo("query.max-rows");
    assertThat(problem.get("allowed").asLong()).isEqualTo(7);
    assertThat(problem.get("plan").toString())
        .isEqualTo(server.get("/api/v1/plan?limit=all").body());
    assertThat(problem.get("plan").get("rows").asLong()).isEqualTo(8);
    assertThat(problem.get("detail").asText())
        .contains("8 rows", "4 hours", "7 are allowed", "want from=2000-01-01T00:00:00", "type of");
  }

  @ParameterizedTest
  @CsvSource({
    "7, asc, 45",
    "7, desc, 45",
    "5, asc, 30",
    "5, desc, 30",
    "2, asc, 15",
    "3, desc, 15"
  })
  void theProposedRangeFits(long rowsMax, String order, int events) {
    serve(rowsMax, ANY);
    JsonNode problem = refused(ALL + "&order=" + order);
    assertAnswered(ALL + "&order=" + order + range(problem), events);
    for (JsonNode type : problem.get("types_that_fit")) {
      assertAnswered(ALL + "&type=" + type.asText(), type.asText().equals("a") ? 40 : 20);
    }
    assertThat(problem.get("types_that_fit")).hasSize(rowsMax < HOURS ? 0 : 2);
  }

  @Test
  void aQueryAtItsBoundRuns() {
    serve(2 * HOURS, ANY);
    assertAnswered(ALL, 15 * HOURS);
    assertAnswered(ALL + "&order=desc", 15 * HOURS);
  }

  @Test
  void bytesAreBoundedAlike() throws IOException {
    serve(ANY / 2048, ANY);
    long bytes =
        new ObjectMapper().readTree(server.get("/api/v1/plan").body()).get("bytes").asLong();
    server.close();
    serve(ANY / 2048, bytes);
    assertAnswered(ALL, 15 * HOURS);
    server.close();
    serve(ANY / 2048, bytes - 1);
    JsonNode problem = refused(ALL);
    assertThat(problem.get("bound").asText()).isEqualTo("query.max-bytes");
    assertThat(problem.get("plan").get("bytes").asLong()).isEqualTo(bytes);
    assertAnswered(ALL + range(problem), 15 * (HOURS - 1));
    assertThat(problem.get("types_that_fit").toString()).isEqualTo("[\"a\",\"b\"]");
  }

  @Test
  void typesThatFitAreProposedForATooCostlyHour() {
    serve(1, ANY);
    JsonNode problem = refused(ALL + "&hour=2026-11-20T08");
    assertThat(problem.get("fits").isNull()).isTrue();
    assertThat(problem.get("types_that_fit").toString()).isEqualTo("[\"a\",\"b\"]");
    assertThat(store.slices()).isZero();
    assertAnswered(ALL + "&hour=2026-11-20T08&type=a", 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&order=desc", "&contains=text", "&where=data.n<7&order=desc"})
  void rowsBeyondALimitDoNotCount(String more) {
    serve(2, 15 * 40);
    assertAnswered("/api/v1/events?format=raw&limit=6" + more.replace("<", "%3C"), 6);
  }

  @Test
  void anUnreachedLimitIsRefusedAtTheBound() {
    serve(4, ANY);
    assertAnswered("/api/v1/events?format=raw&limit=29", 29);
    JsonNode problem = refused("/api/v1/events?limit=31");
    assertThat(problem.get("plan").get("rows").asLong()).isEqualTo(6);
    assertAnswered("/api/v1/events?format=raw&limit=31" + range(problem), 30);
    assertThat(problem.get("types_that_fit")).as("other hours are not known").isEmpty();

    JsonNode rare = refused("/api/v1/events?limit=1&contains=nowhere");
    assertAnswered("/api/v1/events?format=raw&limit=1&contains=nowhere" + range(rare), 0);
  }

  @Test
  void aSearchForARareMatchIsBoundedByBytes() {
    serve(ANY / 2048, 15 * 40);
    String rare = "limit=1&where=id=='nowhere'"; // the store leaves nothing out
    JsonNode problem = refused("/api/v1/events?" + rare);
    assertThat(problem.get("bound").asText()).isEqualTo("query.max-bytes");
    assertThat(problem.get("plan").get("bytes").asLong()).isGreaterThan(600);
    assertAnswered("/api/v1/events?format=raw&" + rare + range(problem), 0);
  }

  @Test
  void aCompleteAnswerIsNotRefusedForItsLastSlice() throws IOException {
    serve(ANY / 2048, ANY);
    String row = "hour=2026-11-20T08&type=a";
    long bytes =
        new ObjectMapper().readTree(server.get("/api/v1/plan?" + row).body()).get("bytes").asLong();
    server.close();
    serve(ANY / 2048, bytes - 1);
    assertAnswered("/api/v1/events?format=raw&limit=100&" + row, 10);
    assertAnswered("/api/v1/events?format=raw&limit=1&contains=nowhere&" + row, 0);
  }

  @Test
  void theNextPageHasBoundsOfItsOwn() {
    serve(2, ANY);
    String path = "/api/v1/events?format=raw&limit=14";
    Reply page = server.get(path);
    String cursor = page.headers().get("Hourglass-Cursor");
    JsonNode problem = refused(path + "&cursor=" + cursor);
    assertThat(problem.get("fits").isNull()).as("its range is that of the first page").isTrue();
    Reply shorter = server.get("/api/v1/events?format=raw&limit=1&cursor=" + cursor);
    assertThat(shorter.status()).as("one event, and a look into the next hour").isIn(200, 400);
  }

  @Test
  void countingHasNoBoundsOnWhatItReads() {
    serve(1, 1);
    for (String path :
        List.of("types?", "hits?from=2026-11-20T00&to=2026-11-21T00&step=1h", "rows?", "plan?")) {
      assertThat(server.get("/api/v1/" + path).status()).as(path).isEqualTo(200);
    }
    assertThat(server.get("/api/v1/types?contains=text").body()).contains("\"count\":40");
    assertThat(
            server
                .get("/api/v1/hits?from=2026-11-20T00&to=2026-11-21T00&step=1d&where=data.n%3C5")
                .body())
        .contains("\"total\":40");
  }
}
