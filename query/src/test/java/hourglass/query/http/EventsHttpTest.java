package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventsHttpTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private final LatentStore store = new LatentStore(new OracleStore());
  private final QueryServer server =
      new QueryServer(store, QueryOptions.builder().chunkBytes(1024).chunks(4).build());

  @BeforeEach
  void write() {
    write("checkout", 0, "{\"n\":1,\n \"path\":\"/a,b\"}");
    write("checkout", 1, "{\"n\":2,\"path\":\"say \\\"hi\\\"\"}");
    write("page.view", 2, "{\"n\":3}");
  }

  private void write(String type, int second, String payload) {
    write(type, 0, second, payload);
  }

  private void write(String type, int shard, int second, String payload) {
    TimeUuid name = TimeUuid.first(HOUR.startTicks() + second * Ticks.PER_SECOND);
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder column = new ColumnsBuilder(1, bytes.length);
    column.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    RowKey row = new RowKey(HOUR, type, shard);
    store.write(List.of(new Mutation(row, column.build()))).toCompletableFuture().join();
  }

  private void writeMany(int count) {
    for (int i = 0; i < count; i++) {
      write("many", i, "{\"n\":" + i + "}");
    }
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private static String id(int second) {
    return TimeUuid.first(HOUR.startTicks() + second * Ticks.PER_SECOND).toString();
  }

  @Test
  void answersJson() {
    Reply reply = server.get("/api/v1/events?hour=2026-11-20T08");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers()).containsEntry("Content-Type", "application/json");
    assertThat(reply.body())
        .isEqualTo(
            "{\"events\":["
                + "{\"id\":\"%s\",\"time\":\"2026-11-20T08:00:00.0000000Z\",\"type\":\"checkout\","
                    .formatted(id(0))
                + "\"data\":{\"n\":1,\n \"path\":\"/a,b\"}},"
                + "{\"id\":\"%s\",\"time\":\"2026-11-20T08:00:01.0000000Z\",\"type\":\"checkout\","
                    .formatted(id(1))
                + "\"data\":{\"n\":2,\"path\":\"say \\\"hi\\\"\"}},"
                + "{\"id\":\"%s\",\"time\":\"2026-11-20T08:00:02.0000000Z\",\"type\":\"page.view\","
                    .formatted(id(2))
                + "\"data\":{\"n\":3}}"
                + "],\"cursor\":null,\"rows\":{\"asked\":2,\"answered\":2},\"complete\":true}");
  }

  @Test
  void keepsEachEventOnOneLine() {
    assertThat(server.lines("/api/v1/events?format=ndjson&limit=1"))
        .containsExactly(
            "{\"id\":\"%s\",\"time\":\"2026-11-20T08:00:00.0000000Z\",\"type\":\"checkout\","
                    .formatted(id(0))
                + "\"data\":{\"n\":1,  \"path\":\"/a,b\"}}");
    assertThat(server.lines("/api/v1/events?format=raw"))
        .containsExactly(
            "{\"n\":1,  \"path\":\"/a,b\"}", "{\"n\":2,\"path\":\"say \\\"hi\\\"\"}", "{\"n\":3}");
  }

  @Test
  void answersCsv() {
    assertThat(server.get("/api/v1/events?format=csv&order=desc&limit=2").body())
        .isEqualTo(
            "id,time,type,data\r\n"
                + id(2)
                + ",2026-11-20T08:00:02.0000000Z,page.view,\"{\"\"n\"\":3}\"\r\n"
                + id(1)
                + ",2026-11-20T08:00:01.0000000Z,checkout,"
                + "\"{\"\"n\"\":2,\"\"path\"\":\"\"say \\\"\"hi\\\"\"\"\"}\"\r\n");
    assertThat(server.get("/api/v1/events?format=csv&fields=data.path,data.n,type").body())
        .isEqualTo(
            "data.path,data.n,type\r\n"
                + "\"/a,b\",1,checkout\r\n"
                + "\"say \"\"hi\"\"\",2,checkout\r\n"
                + ",3,page.view\r\n");
  }

  @Test
  void progressLinesAreAmongTheEventsOfAStream() {
    String path = "/api/v1/events?format=ndjson&limit=2";
    List<String> plain = server.lines(path);
    List<String> told = server.lines(path + "&progress=true");
    String lines = "\\{\"progress\":\\{\"rows_asked\":2,\"rows_answered\":[01]}}";
    assertThat(told).anyMatch(line -> line.matches(lines));
    assertThat(told.stream().filter(line -> !line.matches(lines)).toList()).isEqualTo(plain);
    assertThat(server.lines(path + "&progress=false")).isEqualTo(plain);
  }

  /**
   * UTF-8 cannot encode lone surrogates, so a cell contains the escape; pairs and other escapes are
   * resolved.
   */
  @Test
  void loneSurrogatesAreEscapedInCsv() {
    write("halves", 3, "{\"a\":\"\\ud800x\\uDE00\",\"b\":\"\\ud83d\\ude00\\u0041?\"}");
    String path = "/api/v1/events?type=halves&format=";
    assertThat(server.get(path + "csv&fields=data.a,data.b").body())
        .isEqualTo("data.a,data.b\r\n\\ud800x\\ude00,\uD83D\uDE00A?\r\n");
    String asItCame = "{\"a\":\"\\ud800x\\uDE00\",\"b\":\"\\ud83d\\ude00\\u0041?\"}";
    assertThat(server.get(path + "raw").body()).isEqualTo(asItCame + "\n");
    assertThat(server.get(path + "ndjson").body()).contains(asItCame);
    assertThat(server.get("/api/v1/top?type=halves&field=data.a").body())
        .contains("{\"value\":\"\\ud800x\\ude00\",");
  }

  @Test
  void csvForSpreadsheetsHasNoFormulas() {
    write(
        "=type",
        3,
        "{\"a\":\"=1+1\",\"b\":-5,\"c\":\"-5+1,2\",\"d\":\"\\t=1\",\"e\":\"\u202e=x\"}");
    String path =
        "/api/v1/events?type=%3Dtype&format=csv&fields=type,data.a,data.b,data.c,data.d,data.e";
    String names = "type,data.a,data.b,data.c,data.d,data.e\r\n";
    assertThat(server.get(path + "&csv_safe=true").body())
        .isEqualTo(names + "'=type,'=1+1,-5,\"'-5+1,2\",'\t=1,'\u202e=x\r\n");
    String asTheyCame = names + "=type,=1+1,-5,\"-5+1,2\",\t=1,\u202e=x\r\n";
    assertThat(server.get(path).body()).isEqualTo(asTheyCame);
    assertThat(server.get(path + "&csv_safe=false").body()).isEqualTo(asTheyCame);
    assertThat(server.get("/api/v1/events?type=checkout&format=csv&csv_safe=true").body())
        .as("usual cells")
        .isEqualTo(server.get("/api/v1/events?type=checkout&format=csv").body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json                       | application/json",
        "*/*                                    | application/json",
        "application/x-ndjson                   | application/x-ndjson",
        "text/csv                               | text/csv; charset=utf-8; header=present",
        "text/csv;q=0.5, application/x-ndjson   | application/x-ndjson",
        "application/cloudevents-batch+json     | application/cloudevents-batch+json",
        "text/csv;q=0.1, application/cloudevents-batch+json;q=0.2 |"
            + " application/cloudevents-batch+json",
        "image/png, text/*                      | text/csv; charset=utf-8; header=present",
      })
  void theAcceptHeaderSelectsTheFormat(String accept, String contentType) {
    Reply reply = server.get("/api/v1/events", "Accept", accept);
    assertThat(reply.headers()).containsEntry("Content-Type", contentType);
    assertThat(reply.headers()).containsEntry("Vary", "Accept, Accept-Encoding");
  }

  @Test
  void otherFormatsAreNotAcceptable() {
    Reply reply = server.get("/api/v1/events", "Accept", "image/png");
    assertThat(reply.status()).isEqualTo(406);
    assertThat(reply.body()).contains("image/png", "application/x-ndjson");
    assertThat(server.get("/api/v1/events?format=csv", "Accept", "image/png").status())
        .as("the parameter wins")
        .isEqualTo(200);
  }

  @Test
  void factsOfAPageAreInHeaders() {
    Reply page = server.get("/api/v1/events?format=ndjson&limit=2&order=desc");
    assertThat(page.headers())
        .containsEntry("Hourglass-Rows-Asked", "2")
        .containsEntry("Hourglass-Rows-Answered", "2")
        .containsEntry("Hourglass-Complete", "true")
        .containsKeys("Hourglass-Cursor", "Content-Length")
        .doesNotContainKey("Trailer");
    String cursor = page.headers().get("Hourglass-Cursor");
    assertThat(page.headers())
        .containsEntry(
            "Link",
            "</api/v1/events?format=ndjson&limit=2&order=desc&cursor="
                + cursor
                + ">; rel=\"next\"");

    Reply last = follow(page);
    assertThat(last.body()).contains(id(0)).hasLineCount(1);
    assertThat(last.headers()).doesNotContainKeys("Hourglass-Cursor", "Link");
  }

  @Test
  void factsOfALongPageAreInTrailers() {
    writeMany(400);
    Reply page = server.get("/api/v1/events?format=ndjson&limit=300");
    assertThat(page.headers())
        .containsEntry("Transfer-Encoding", "chunked")
        .containsEntry("Trailer", AnswerHead.FACTS)
        .doesNotContainKey("Hourglass-Complete");
    assertThat(page.trailers())
        .containsEntry("Hourglass-Complete", "true")
        .containsEntry("Hourglass-Rows-Asked", "3")
        .containsKeys("Hourglass-Cursor", "Link");
    assertThat(page.body().lines()).hasSize(300);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "json", "csv", "raw"})
  void limitAllStreamsEveryEvent(String format) {
    writeMany(2000);
    Reply reply = server.get("/api/v1/events?limit=all&type=many&format=" + format);
    assertThat(reply.trailers())
        .containsEntry("Hourglass-Complete", "true")
        .doesNotContainKey("Hourglass-Cursor");
    List<Integer> numbers =
        Pattern.compile("n\"{1,2}:([0-9]+)")
            .matcher(reply.body())
            .results()
            .map(match -> Integer.valueOf(match.group(1)))
            .toList();
    assertThat(numbers).isEqualTo(IntStream.range(0, 2000).boxed().toList());
  }

  @Test
  void pagesFollowTheirLinksToTheEnd() {
    writeMany(95);
    List<String> walked = new ArrayList<>();
    Reply page = server.get("/api/v1/events?type=many&limit=10&format=raw&hour=2026-11-20T08");
    walked.addAll(page.body().lines().toList());
    while (page.headers().containsKey("Link")) {
      page = follow(page);
      walked.addAll(page.body().lines().toList());
    }
    assertThat(walked).hasSize(95).doesNotHaveDuplicates().startsWith("{\"n\":0}");
  }

  private Reply follow(Reply page) {
    String link = page.headers().get("Link");
    return server.get(URI.create(link.substring(1, link.indexOf('>'))).toString());
  }

  @Test
  void findsTextInPayloads() {
    assertThat(server.lines("/api/v1/events?format=raw&contains=say%20%5C%22hi"))
        .containsExactly("{\"n\":2,\"path\":\"say \\\"hi\\\"\"}");
    assertThat(server.lines("/api/v1/events?format=raw&contains=nowhere")).isEmpty();
  }

  /** A retry in another shard has a larger payload, without the text. */
  @Test
  void replacedPayloadsAreNotSearched() {
    write("twice", 0, 3, "{\"n\":3,\"state\":\"doubtful\"}");
    write("twice", 1, 3, "{\"n\":3,\"state\":\"known\"}");
    write("twice", 1, 4, "{\"n\":4,\"state\":\"doubtful\"}");
    for (String filter : List.of("doubtful", "DOUBTFUL&icase=true", "doubtful&where=data.n<5")) {
      assertThat(server.lines("/api/v1/events?format=raw&contains=" + filter.replace("<", "%3C")))
          .as(filter)
          .containsExactly("{\"n\":4,\"state\":\"doubtful\"}");
    }
    assertThat(server.get("/api/v1/hits?hour=2026-11-20T08&step=1h&contains=doubtful").body())
        .contains("\"counts\":[1]");
  }

  @Test
  void anEmptyAnswerIsCompleteInEveryFormat() {
    String none = "/api/v1/events?hour=2030-01-01T00&limit=all&format=";
    assertThat(server.get(none + "json").body())
        .isEqualTo(
            "{\"events\":[],\"cursor\":null,\"rows\":{\"asked\":0,\"answered\":0},\"complete\":true}");
    assertThat(server.get(none + "csv").body()).isEqualTo("id,time,type,data\r\n");
    assertThat(server.get(none + "ndjson").body()).isEmpty();
    assertThat(server.get(none + "raw").headers()).containsEntry("Hourglass-Complete", "true");
  }

  @Test
  void queriesAreCountedByOutcome() {
    server.get("/api/v1/events");
    server.get("/api/v1/events?limit=none");
    assertThat(outcomes("ok")).isEqualTo(1);
    assertThat(outcomes("bad_request")).isEqualTo(1);
    assertThat(server.meters.get("hourglass.query.rows").counter().count()).isEqualTo(2);
    assertThat(server.meters.get("hourglass.query.columns").counter().count()).isEqualTo(3);
    assertThat(server.running()).isZero();
  }

  private long outcomes(String outcome) {
    return server
        .meters
        .get("hourglass.query")
        .tags("endpoint", "events", "outcome", outcome)
        .timer()
        .count();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "events?limit=1",
        "events?limit=all&format=ndjson",
        "events?limit=all&format=csv&order=desc",
        "hits?hour=2026-11-20T08",
        "types?type=list"
      })
  void expressionTooSlowForAnEventFailsTheAnswer(String question) {
    write("list", 3, "{\"l\":[" + "1,".repeat(199) + "1]}");
    String where = "&where=data.l.all(a,data.l.all(b,a==b))".replace("==", "%3D%3D");
    Reply reply = server.get("/api/v1/" + question + where);
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.body())
        .matches(
            "where: \"data.l.all.*\": for event [-0-9a-f]{36} it takes more than 10000 steps .*");
  }

  @Test
  void midnightMayBeHour24() {
    String range = "/api/v1/events?from=2026-11-20T08:00:00Z&to=";
    assertThat(server.get(range + "2026-11-20T24:00:00Z").body())
        .isEqualTo(server.get(range + "2026-11-21T00:00:00Z").body());
    assertThat(server.get(range + "2026-11-20T24:00:00Z").status()).isEqualTo(200);
  }
}
