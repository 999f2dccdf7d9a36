package hourglass.program.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import hourglass.program.ServerProcess;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Wrong query parameters are answered with a 400 that names the parameter, the value and the
 * allowed ones.
 */
@Tag(Tier.IN_FIRST)
class BadQueryIT {
  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(folder);
    String event = "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\"}\n";
    server.post("/api/v1/events", "application/x-ndjson", event.repeat(3));
  }

  @AfterAll
  static void stop() {
    assertThat(server.log()).doesNotContain(" ERROR ");
    server.close();
  }

  static Stream<Arguments> parameters() {
    String limit = " is not a number from 1 to 2147483647, or all";
    String hour = " is not an hour such as 2026-11-20T08, in 2000-2099";
    String time = " is not a time such as 2026-11-20T08:00:00Z";
    String cursor = " is not a cursor that an earlier page gave";
    String step = " is not a length of time such as 500ms, 1s, 10s, 1m, 5m, 1h or 1d";
    return Stream.of(
        arguments("events?limit=0", "limit: '0'" + limit),
        arguments("events?limit=-1", "limit: '-1'" + limit),
        arguments("events?limit=many", "limit: 'many'" + limit),
        arguments("events?limit=99999999999", "limit: '99999999999'" + limit),
        arguments("events?limit=1&limit=2", "limit: given 2 times ('1', '2'), want it once"),
        arguments("events?order=up", "order: 'up' is not asc or desc"),
        arguments(
            "events?format=xml", "format: 'xml' is not ndjson, json, csv, raw or cloudevents"),
        arguments("events?partial=yes", "partial: 'yes' is not allow"),
        arguments("events?download=x", "download: 'x' is not true or false"),
        arguments("events?filename=a%2Fb", "filename: 'a/b' is not a file"),
        arguments("events?hour=2026-11-20", "hour: '2026-11-20'" + hour),
        arguments("events?hour=2026-11-20T24", "hour: '2026-11-20T24'" + hour),
        arguments("events?hour=1999-12-31T23", "hour: '1999-12-31T23'" + hour),
        arguments("events?from=tomorrow", "from: 'tomorrow'" + time),
        arguments(
            "events?to=2026-11-20T08:00:00%2B99:00", "to: '2026-11-20T08:00:00+99:00'" + time),
        arguments(
            "events?from=2026-11-20T09&to=2026-11-20T08", "'2026-11-20T09' is after to: '2026"),
        arguments("events?hour=2026-11-20T08&to=2026-11-20T09", "is given with from or to"),
        arguments("events?type=", "type: '' is not an event type of 1 to 256 bytes of UTF-8"),
        arguments("events?type=" + "x".repeat(257), "is not an event type of 1 to 256 bytes"),
        arguments("events?type=%FF", "not UTF-8"),
        arguments("events?type=%C3%28", "not UTF-8"),
        arguments("events?contains=", "contains: '' is not a text of at least one character"),
        arguments("events?where=", "where: '' is not a text of at least one character"),
        arguments("events?where=data.a+%3D%3D", "where: 'data.a ==': column 10: mismatched input"),
        arguments(
            "events?where=data.a+%3E+1+%26%26+datta.b",
            "column 15: there is no datta; want data, type, time, id, detected_level or a function of CEL"),
        arguments("hits?hour=2026-11-20T08&where=1", "where: '1': column 1: expected type"),
        arguments("types?where=x", "where: 'x': column 1: there is no x"),
        arguments("events?tipe=a", "tipe: 'a' is given, but there is no such parameter; want one"),
        arguments("events?fields=data.a", "fields: 'data.a' is given without format=csv"),
        arguments(
            "events?format=csv&fields=data.", "fields: 'data.' is not id, time, type, data or"),
        arguments("events?cursor=", "cursor: ''" + cursor),
        arguments("events?cursor=made-up", "cursor: 'made-up'" + cursor),
        arguments("events?cursor=" + madeUp(1), "cursor: '" + madeUp(1) + "'" + cursor),
        arguments("events?cursor=" + madeUp(32), "cursor: '" + madeUp(32) + "'" + cursor),
        arguments("events?cursor=" + madeUp(200), "cursor: '" + madeUp(200) + "'" + cursor),
        arguments("hits", "from, to: not given; want from and to, or hour"),
        arguments("hits?from=2026-11-20T08", "to: not given; want from and to, or hour"),
        arguments("hits?hour=2026-11-20T08&step=7", "step: '7'" + step),
        arguments("hits?hour=2026-11-20T08&step=0s", "step: '0s'" + step),
        arguments("hits?hour=2026-11-20T08&by=data", "by: 'data' is not type, or a path into"),
        arguments("hits?from=2000-01-01T00&to=2099-01-01T00&step=1ms", "makes more than 100000"),
        arguments("types?limit=1", "limit: '1' is given, but there is no such parameter"),
        arguments(
            "rejects?type=a", "type: 'a' is given, but there is no such parameter; want none"),
        arguments("rows?hour=now", "hour: 'now'" + hour));
  }

  private static String madeUp(int bytes) {
    byte[] text = "a cursor that nobody gave. ".repeat(10).getBytes(StandardCharsets.US_ASCII);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(text, bytes));
  }

  @ParameterizedTest
  @MethodSource("parameters")
  void wrongParameterIsNamed(String query, String detail) throws Exception {
    HttpResponse<String> answer = server.get("/api/v1/" + query);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
    assertThat(new JsonObject(answer.body()).getString("detail"))
        .contains(detail.replace('\'', '"'));
  }

  @Test
  void cursorOfAnotherQueryIsRefused() throws Exception {
    String hour = "/api/v1/events?limit=1&hour=2026-11-20T08";
    String cursor = new JsonObject(server.get(hour).body()).getString("cursor");
    assertThat(server.get(hour + "&cursor=" + cursor).statusCode()).isEqualTo(200);
    for (String other : new String[] {"&order=desc", "&type=a", "&contains=a", "&where=true"}) {
      HttpResponse<String> answer = server.get(hour + other + "&cursor=" + cursor);
      assertThat(answer.statusCode()).as(other).isEqualTo(400);
      assertThat(answer.body()).contains("belongs to another query");
    }
    char[] changed = cursor.toCharArray();
    for (int i = 0; i < changed.length; i++) {
      char was = changed[i];
      changed[i] = was == 'A' ? 'B' : 'A';
      String path = hour + "&cursor=" + new String(changed);
      assertThat(server.get(path).statusCode()).as(path).isIn(200, 400);
      changed[i] = was;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /api/v2/events, 404",
    "GET, /api/v1/events/x, 400",
    "GET, /api/v1/types//x, 404",
    "GET, /%00, 400",
    "GET, /api/v1/events?type=%, 400",
    "GET, /../../etc/passwd, 404",
    "PUT, /api/v1/events, 405",
    "PATCH, /api/v1/events, 405",
    "BREW, /api/v1/events, 405",
    "POST, /api/v1/types, 405",
    "POST, /metrics, 405",
  })
  void unknownPathsAndMethodsAreRefused(String method, String path, int status) throws IOException {
    String answer =
        RawHttp.exchange(
            server.port(),
            method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains("application/problem+json");
  }
}
