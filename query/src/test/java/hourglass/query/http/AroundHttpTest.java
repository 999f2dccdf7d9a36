package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AroundHttpTest {
  private final LatentStore store = new LatentStore(new OracleStore());
  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build());

  AroundHttpTest() {
    Fill.row(store, "a", 100);
    Fill.row(store, "b", 1, 10, "");
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private static TimeUuid id(int second) {
    return TimeUuid.first(Fill.HOUR.startTicks() + second * Ticks.PER_SECOND);
  }

  private QueryServer.Reply get(int second, String parameters) {
    return server.get("/api/v1/events?around=" + id(second) + parameters);
  }

  @ParameterizedTest
  @CsvSource({
    "50, 1, 50 50",
    "50, 2, 49 50",
    "50, 3, 49 51",
    "50, 20, 40 59",
    "50, 21, 40 60",
    "97, 20, 87 99",
    "11, 4, 9 12",
  })
  void halfOfTheEventsPrecedeAndHalfFollow(int center, int limit, String firstAndLast) {
    QueryServer.Reply reply = get(center, "&format=raw&type=a&limit=" + limit);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    String[] lines = reply.body().split("\n");
    assertThat(lines[0] + " " + lines[lines.length - 1])
        .isEqualTo(firstAndLast.replaceAll("(\\d+)", "{\"n\":$1}"));
  }

  @Test
  void aPageHasLinksInBothDirections() {
    QueryServer.Reply page = get(50, "&type=a&limit=3");
    assertThat(page.body())
        .startsWith("{\"events\":[{")
        .containsPattern(
            "\\],\"cursor\":\"[^\"]+\",\"previous\":\"[^\"]+\",\"rows\":\\{\"asked\":\\d+,");
    assertThat(page.headers()).containsKeys("Hourglass-Cursor", "Hourglass-Previous");
    String links = page.headers().get("Link");
    String next = links.replaceAll("<([^>]+)>; rel=\"next\", .*", "$1");
    String previous = links.replaceAll(".*, <([^>]+)>; rel=\"prev\"", "$1");
    assertThat(next).doesNotContain("around");
    assertThat(server.get(next + "&format=raw").body())
        .isEqualTo("{\"n\":52}\n{\"n\":53}\n{\"n\":54}\n");
    QueryServer.Reply back = server.get(previous + "&format=raw");
    assertThat(back.body()).isEqualTo("{\"n\":48}\n{\"n\":47}\n{\"n\":46}\n");
    assertThat(back.headers().get("Link")).doesNotContain("rel=\"prev\"").contains("order=desc");
  }

  @Test
  void rowsReadInBothDirectionsCountOnce() {
    assertThat(get(50, "&type=a&limit=3").body()).contains("\"rows\":{\"asked\":1,\"answered\":1}");
    assertThat(get(50, "&limit=5").body()).contains("\"rows\":{\"asked\":2,\"answered\":2}");
    assertThat(get(50, "&type=b&limit=5").body())
        .as("the row of the event is asked too")
        .contains("\"rows\":{\"asked\":2,\"answered\":2}");
  }

  @Test
  void aPlanCoversBothDirections() {
    assertThat(server.get("/api/v1/plan?around=" + id(50) + "&type=a&limit=3").body())
        .isEqualTo(server.get("/api/v1/plan?type=a").body());
    QueryServer.Reply refused =
        server.get("/api/v1/plan?around=" + id(50) + "&to=2026-11-20T08:00:50Z");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("is not the id of an event within the range asked for");
  }

  @Test
  void descendingOrderListsTheNewestFirst() {
    QueryServer.Reply page = get(50, "&type=a&limit=2&order=desc&format=raw");
    assertThat(page.body()).isEqualTo("{\"n\":51}\n{\"n\":50}\n");
    String previous = page.headers().get("Link").replaceAll(".*, <([^>]+)>; rel=\"prev\"", "$1");
    assertThat(server.get(previous).body()).isEqualTo("{\"n\":52}\n{\"n\":53}\n");
  }

  @Test
  void thePageAtAnEndHasNoLinkBeyond() {
    QueryServer.Reply first = get(0, "&type=a&limit=500");
    assertThat(first.body()).contains("\"cursor\":null,\"rows\"").doesNotContain("previous");
    assertThat(first.headers()).doesNotContainKeys("Link", "Hourglass-Previous");
  }

  @Test
  void theEventIsListedDespiteTheSelection() {
    assertThat(get(50, "&type=b&limit=3&format=raw").body()).isEqualTo("{\"n\":9}\n{\"n\":50}\n");
    assertThat(get(50, "&where=data.n+%25+10+%3D%3D+3&limit=3&format=raw").body())
        .isEqualTo("{\"n\":43}\n{\"n\":50}\n{\"n\":53}\n");
    assertThat(get(50, "&contains=%3A7&limit=3&format=raw").body())
        .isEqualTo("{\"n\":7}\n{\"n\":50}\n{\"n\":70}\n");
    assertThat(get(50, "&type=a&from=2026-11-20T08:00:49Z&limit=9&format=csv&fields=data.n").body())
        .isEqualTo("data.n\r\n49\r\n50\r\n51\r\n52\r\n53\r\n54\r\n");
  }

  @Test
  void anIdOfSeveralTypesNeedsAType() {
    assertThat(get(5, "&limit=3").status()).isEqualTo(400);
    assertThat(get(5, "&limit=3").body())
        .isEqualTo("around: events of several types have this id; want type to be one of a, b");
    assertThat(get(5, "&type=a&type=c&limit=3&format=raw").body())
        .isEqualTo("{\"n\":4}\n{\"n\":5}\n{\"n\":6}\n");
  }

  @Test
  void anAbsentEventIsNotFound() {
    QueryServer.Reply reply = get(100, "");
    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.body()).isEqualTo("around: there is no event " + id(100));
    String before2000 = "8a2f6c10-c5e5-1001-9d3a-0242ac120002";
    assertThat(server.get("/api/v1/events?around=" + before2000).status()).isEqualTo(404);
    assertThat(server.running()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "&limit=all      | limit: \"all\" is not a number from 1 to 2147483647",
        "&partial=allow  | partial: \"allow\" is given with around; want either",
        "&cursor=x       | cursor: \"x\" is given with around; want either",
        "&to=2026-11-20T08:00:50Z | is not the id of an event within the range asked for",
        "&hour=2026-11-20T09 | is not the id of an event within the range asked for",
        "&around=x       | around: given 2 times",
        "&where=x        | where: \"x\": column 1: there is no x",
        "&order=up       | order: \"up\" is not asc or desc",
      })
  void contradictoryParametersAreRefused(String parameters, String detail) {
    QueryServer.Reply reply = get(50, parameters);
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.body()).contains(detail);
  }
}
