package hourglass.program.cassandra;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.RawHttp;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a server answers of {@link ScatteredEvents}, while their node is away and while it is there.
 * Made while it is there.
 */
final class AnswersWithoutNode {
  private static final String EVENTS = "/api/v1/events?";

  /** A page ends with neither hour. */
  private static final int PAGE = 700;

  private static final String END = "\r\n\r\n";

  private final ServerProcess server;
  private final ScatteredEvents events;
  private final String node;
  private final String both;
  private final String torn;

  /** All events, the oldest first. */
  private final List<JsonObject> all;

  /**
   * @param node as the server names it, {@code host:port}
   */
  AnswersWithoutNode(ServerProcess server, ScatteredEvents events, String node) throws Exception {
    this.server = server;
    this.events = events;
    this.node = node;
    both = "from=" + events.whole().start() + "&to=" + events.torn().end();
    torn = "hour=" + events.torn();
    all = whole("asc");
    assertThat(all.stream().map(event -> event.getJsonObject("data").encode()))
        .containsExactlyInAnyOrderElementsOf(events.payloads());
    areWholeAgain();
  }

  private List<JsonObject> whole(String order) throws Exception {
    JsonObject answer = json(EVENTS + both + "&limit=all&order=" + order);
    int rows = events.rows(events.whole()) + events.rows(events.torn());
    assertThat(answer.getBoolean("complete")).isTrue();
    assertThat(answer.getJsonObject("rows").encode())
        .isEqualTo("{\"asked\":%1$d,\"answered\":%1$d}".formatted(rows));
    return objects(answer.getJsonArray("events"));
  }

  private JsonObject json(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = server.get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  private static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }

  private static List<JsonObject> reversed(List<JsonObject> events) {
    List<JsonObject> reversed = new ArrayList<>(events);
    Collections.reverse(reversed);
    return reversed;
  }

  /** Expects the node to be back. */
  void areWholeAgain() throws Exception {
    assertThat(whole("asc")).isEqualTo(all);
    assertThat(whole("desc")).isEqualTo(reversed(all));
    assertThat(json("/api/v1/hits?step=1h&" + both).getInteger("total")).isEqualTo(all.size());
    assertThat(json(EVENTS + "hour=" + events.unknown()).getJsonArray("events")).hasSize(1);
  }

  /** Expects the node to be away; every query to it may cost a timeout. */
  void checkFew() throws Exception {
    fails(EVENTS + torn);
    awaitLacksRows("asc");
  }

  /** Expects the node to be away, and others to know it. */
  void checkAll() throws Exception {
    awaitLacksRows("asc");
    awaitLacksRows("desc");
    await().untilAsserted(() -> assertThat(fails(EVENTS + torn)).contains(node + " down"));
    everythingElseFails();
    whatNeedsNoneOfItsRowsIsWhole();
    pagesTellFromWhereRowsAreMissing();
    aStreamBreaksOrNamesThem();
  }

  private String fails(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = server.get(path);
    assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValueAsLong("retry-after").orElse(0)).isPositive();
    assertThat(answer.body()).contains("Cassandra", node);
    return answer.body();
  }

  /** On a busy machine, a running node may answer too late, and then its rows are missing too. */
  private void awaitLacksRows(String order) {
    await().untilAsserted(() -> lacksRows(order));
  }

  private void lacksRows(String order) throws Exception {
    JsonObject answer = json(EVENTS + both + "&limit=all&partial=allow&order=" + order);
    List<JsonObject> left = left();
    assertThat(objects(answer.getJsonArray("events")))
        .isEqualTo(order.equals("asc") ? left : reversed(left));
    isPartial(answer);
    JsonObject rows = answer.getJsonObject("rows");
    int asked = events.rows(events.whole()) + events.rows(events.torn());
    assertThat(rows.getInteger("asked")).isEqualTo(asked);
    assertThat(rows.getInteger("answered")).isEqualTo(asked - events.missing().size());
  }

  private void isPartial(JsonObject answer) {
    assertThat(answer.getBoolean("complete")).isFalse();
    assertThat(answer.getJsonObject("rows").getJsonArray("missing"))
        .isEqualTo(new JsonArray(events.missing()));
  }

  /** Those that the node does not have. */
  private List<JsonObject> left() {
    return all.stream().filter(event -> !events.isAway(event)).toList();
  }

  private void everythingElseFails() throws Exception {
    for (String format : List.of("json", "ndjson", "csv", "raw", "cloudevents")) {
      fails(EVENTS + torn + "&limit=5&format=" + format);
      fails(EVENTS + torn + "&limit=all&order=desc&format=" + format);
    }
    for (String question : List.of("hits?", "types?", "stats?field=data.n&", "top?field=data.n&")) {
      fails("/api/v1/" + question + both);
    }
    fails("/api/v1/hits?contains=words&" + both);
    countsNameThem();
    JsonObject lost = all.stream().filter(events::isAway).findFirst().orElseThrow();
    fails("/api/v1/events/" + lost.getString("id") + "?type=" + lost.getString("type"));
    fails(EVENTS + "around=" + lost.getString("id") + "&type=" + lost.getString("type"));
    fails(EVENTS + "hour=" + events.unknown());
    fails(EVENTS + "partial=allow&hour=" + events.unknown());
  }

  private void countsNameThem() throws Exception {
    int left = left().size();
    for (String filter : List.of("", "contains=words&")) {
      String partial = filter + "partial=allow&" + both;
      JsonObject hits = json("/api/v1/hits?step=1h&" + partial);
      isPartial(hits);
      assertThat(hits.getInteger("total")).isEqualTo(left);
      isPartial(json("/api/v1/types?" + partial));
      JsonObject stats = json("/api/v1/stats?field=data.n&" + partial);
      isPartial(stats);
      assertThat(stats.getJsonArray("series").getJsonObject(0).getInteger("events"))
          .isEqualTo(left);
      JsonObject top = json("/api/v1/top?field=data.n&" + partial);
      isPartial(top);
      assertThat(top.getInteger("events")).isEqualTo(left);
    }
  }

  private void whatNeedsNoneOfItsRowsIsWhole() throws Exception {
    String type = events.readableType();
    for (String selection : List.of(torn + "&type=" + type, "hour=" + events.whole())) {
      JsonObject answer = json(EVENTS + selection + "&limit=all");
      assertThat(answer.getBoolean("complete")).isTrue();
      int count = answer.getJsonArray("events").size();
      assertThat(json("/api/v1/hits?step=1h&" + selection).getInteger("total")).isEqualTo(count);
    }
    JsonObject kept = all.get(0);
    assertThat(json("/api/v1/events/" + kept.getString("id") + "?type=" + kept.getString("type")))
        .isEqualTo(kept);
    assertThat(json("/api/v1/rows?" + torn).getJsonArray("rows"))
        .hasSize(events.rows(events.torn()));
  }

  /** Page after page over both hours. */
  private void pagesTellFromWhereRowsAreMissing() throws Exception {
    String pages = EVENTS + both + "&limit=" + PAGE;
    List<JsonObject> walked = new ArrayList<>();
    String cursor = "";
    while (cursor != null) {
      String next = pages + (cursor.isEmpty() ? "" : "&cursor=" + cursor);
      JsonObject page = json(next + "&partial=allow");
      List<JsonObject> given = objects(page.getJsonArray("events"));
      boolean whole = events.isOfWhole(given.get(given.size() - 1));
      walked.addAll(given);
      cursor = page.getString("cursor");
      if (whole) {
        assertThat(page.getBoolean("complete")).isTrue();
        assertThat(objects(json(next).getJsonArray("events"))).isEqualTo(given);
      } else if (walked.size() - given.size() < ScatteredEvents.EVENTS_AN_HOUR) {
        isPartial(page);
        fails(next);
      } else {
        isPartial(page);
        HttpResponse<String> unaware = server.get(next);
        assertThat(unaware.statusCode()).isEqualTo(400);
        assertThat(unaware.body()).contains("rows were missing; want partial=allow");
      }
    }
    assertThat(walked).isEqualTo(left());
  }

  /**
   * The later hour follows an earlier one that was mostly sent by then. If not, the answer is a
   * plain failure, and the next try may be in time.
   */
  private void aStreamBreaksOrNamesThem() throws IOException {
    String stream = EVENTS + both + "&limit=all&format=ndjson";
    await()
        .untilAsserted(
            () -> {
              String broken = exchange(stream);
              assertThat(broken).doesNotEndWith(END).doesNotContain("Hourglass-Complete: ");
              assertThat(broken).startsWith("HTTP/1.1 200 ").contains(all.get(0).getString("id"));
            });

    String partial = exchange(stream + "&partial=allow");
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String trailers = RawHttp.unchunk(partial, partial.indexOf(END) + END.length(), body);
    assertThat(trailers)
        .contains(
            "Hourglass-Complete: false\r\n",
            "Hourglass-Rows-Missing: " + String.join(", ", events.missing()) + "\r\n");
    assertThat(body.toString(UTF_8).lines().map(JsonObject::new).toList()).isEqualTo(left());
  }

  private String exchange(String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    return new String(RawHttp.exchangeBytes(server.port(), request), ISO_8859_1);
  }
}
