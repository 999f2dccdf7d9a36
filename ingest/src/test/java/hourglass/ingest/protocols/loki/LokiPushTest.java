package hourglass.ingest.protocols.loki;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.http.IngestServer;
import hourglass.ingest.protocols.loki.Pushes.Entry;
import hourglass.ingest.protocols.loki.Pushes.Event;
import hourglass.ingest.protocols.loki.Pushes.Stream;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.Snappy;

/** Labels, times, lines and answers; {@link RandomPushTest} has the usual events. */
class LokiPushTest {
  private static final long NANOS = 1_605_859_200_000_000_100L;
  private static final String JSON = LokiServer.JSON;
  private static final String PROTOBUF = LokiServer.PROTOBUF;

  private static final LokiServer server = new LokiServer();

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clear() {
    server.server.store.clear();
    server.server.store.answer(CompletableFuture.completedFuture(null));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] body) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(body);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return packed.toByteArray();
  }

  private static List<Stream> one(String line) {
    return List.of(new Stream(Map.of("app", "shop"), List.of(new Entry(NANOS, line, Map.of()))));
  }

  private static String json(String labels, String values) {
    return "{\"streams\":[{\"stream\":" + labels + ",\"values\":[" + values + "]}]}";
  }

  private static Event only() {
    List<Event> events = server.events();
    assertThat(events).hasSize(1);
    return events.get(0);
  }

  private static Event onlyOf(String labels, String values) {
    assertThat(server.json(json(labels, values))).isEqualTo(204);
    return only();
  }

  private static String text(HttpResponse<String> answer) {
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
    assertThat(answer.body()).endsWith("\n").hasLineCount(1);
    return answer.body();
  }

  @Test
  void bothEncodingsAreAnsweredWithAnEmptyBody() {
    byte[] json = utf8(json("{\"app\":\"shop\"}", "[\"" + NANOS + "\",\"hello\"]"));
    byte[] protobuf = Pushes.protobuf(one("hello"));
    for (HttpResponse<String> answer :
        List.of(
            server.push(JSON, json),
            server.push("application/json; charset=utf-8", json),
            server.push("application/x-www-form-urlencoded", json),
            server.push(JSON, gzip(json), "Content-Encoding", "gzip"),
            server.push(PROTOBUF, protobuf),
            server.push("application/octet-stream", protobuf),
            server.push(PROTOBUF, protobuf, "Content-Encoding", "snappy"),
            server.push(PROTOBUF, gzip(protobuf), "Content-Encoding", "gzip"),
            server.push(PROTOBUF, protobuf, "X-Scope-OrgID", "tenant"))) {
      assertThat(answer.statusCode()).isEqualTo(204);
      assertThat(answer.body()).isEmpty();
    }
    // The same event each time, since it is known by its content.
    JsonObject payload = new JsonObject().put("message", "hello");
    payload.put("labels", new JsonObject().put("app", "shop"));
    assertThat(only()).isEqualTo(new Event("shop", NANOS, payload));
  }

  @Test
  void aBodyThatIsNotPackedAsItsHeaderSaysCountsOnce() {
    long before = rejects();
    HttpResponse<String> answer = server.push(JSON, utf8("{}"), "Content-Encoding", "gzip");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(text(answer)).startsWith("Content-Encoding: \"gzip\", but the body is not: ");
    assertThat(rejects()).isEqualTo(before + 1);
  }

  private static long rejects() {
    return server.server.service.rejects().stream().mapToLong(each -> each.count()).sum();
  }

  /** Else who writes lines could choose the type of another one's stream. */
  @Test
  void aLabelOverridesTheSameKeyInTheLine() {
    String line = "{\\\"labels.namespace\\\":\\\"pay\\\",\\\"labels.namespace\\\":1}";
    byte[] body = utf8(json("{\"namespace\":\"shop\"}", "[\"" + NANOS + "\",\"" + line + "\"]"));
    String path = "/loki/api/v1/push?type_field=labels.namespace";
    assertThat(server.pushTo(path, JSON, body).statusCode()).isEqualTo(204);
    assertThat(only().type()).isEqualTo("shop");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?type_field=x"})
  void trailingWhiteSpaceCountsTowardsTheSizeOfALine(String query) {
    String line = "{\\\"a\\\":1}" + " ".repeat(1 << 17);
    byte[] body = utf8(json("{\"app\":\"shop\"}", "[\"" + NANOS + "\",\"" + line + "\"]"));
    String path = "/loki/api/v1/push" + query;
    assertThat(server.pushTo(path, JSON, body).statusCode()).isEqualTo(204);
    assertThat(server.events()).as("a rejected line").isEmpty();
  }

  @Test
  void equalEntriesOfARequestAreBothStored() {
    String entry = "[\"" + NANOS + "\",\"hello\"]";
    for (int i = 0; i < 2; i++) {
      assertThat(server.json(json("{}", entry + "," + entry))).isEqualTo(204);
      assertThat(server.events()).hasSize(2);
    }
  }

  /** Clients may add newer lines to a batch that they repeat. */
  @Test
  void repeatedEntriesInALargerBatchAreStoredOnce() {
    server.push(PROTOBUF, Pushes.protobuf(one("first")));
    Entry first = new Entry(NANOS, "first", Map.of());
    Entry second = new Entry(NANOS, "second", Map.of());
    Stream both = new Stream(Map.of("app", "shop"), List.of(first, second));
    server.push(PROTOBUF, Pushes.protobuf(List.of(both)));
    assertThat(server.events()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'service_name':'a','app':'b'}                       | a",
        "{'app':'b','service_name':'a'}                       | a",
        "{'k8s_job_name':'z','job':'y','container':'c'}       | c",
        "{'level':'info','name':'n'}                          | n",
        "{'app':'','job':'j'}                                 | j",
        "{'app':7,'job':'j'}                                  | j",
        "{'app':'\\ud800','job':'j'}                          | j",
        "{'\\u0061pp':'\\u0062\\n','job':'j'}                 | 'b\n'",
        "{'App':'b'}                                          | unknown_service",
        "{}                                                   | unknown_service"
      })
  void theTypeIsTheFirstServiceLabelOfLoki(String labels, String type) {
    assertThat(onlyOf(labels.replace('\'', '"'), "[\"" + NANOS + "\",\"x\"]").type())
        .isEqualTo(type);
  }

  @Test
  void labelsTooLongForATypeAreSkipped() {
    String labels = "{\"app\":\"" + "x".repeat(257) + "\",\"job\":\"j\"}";
    assertThat(onlyOf(labels, "[\"" + NANOS + "\",\"x\"]").type()).isEqualTo("j");
  }

  @Test
  void theTypeOfARequestOverridesTheLabels() {
    byte[] body = utf8(json("{\"app\":\"shop\"}", "[\"" + NANOS + "\",\"x\"]"));
    server.pushTo("/loki/api/v1/push?type=given", JSON, body);
    server.push(JSON, body, "Hourglass-Type-Field", "labels.app");
    assertThat(server.events().stream().map(Event::type)).containsExactly("given", "shop");
  }

  /** Labels and metadata are texts. */
  @Test
  void valuesOfOtherKindsBecomeTexts() {
    Event event =
        onlyOf(
            "{\"n\":7,\"o\":{\"a\":[1, \"x\"]},\"b\":true,\"none\":null,\"\":\"empty\"}",
            "[\"" + NANOS + "\",\"x\",{\"n\":1.50,\"none\":null}]");
    assertThat(event.payload().getJsonObject("labels"))
        .isEqualTo(
            new JsonObject()
                .put("n", "7")
                .put("o", "{\"a\":[1, \"x\"]}")
                .put("b", "true")
                .put("", "empty"));
    assertThat(event.payload().getJsonObject("metadata"))
        .isEqualTo(new JsonObject().put("n", "1.50"));
  }

  @Test
  void unreadableLabelsAreStoredUnparsed() {
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    labels.writeBytes(new byte[] {0x0a, 9, 0x0a, 2, '{', 'a', 0x12, 3, 0x12, 1, 'x'});
    assertThat(server.push(PROTOBUF, snappy(labels.toByteArray())).statusCode()).isEqualTo(204);
    assertThat(only().payload().encode())
        .isEqualTo("{\"message\":\"x\",\"labels\":{\"unparsed\":\"{a\"}}");
  }

  private static byte[] snappy(byte[] request) {
    try {
      return Snappy.compress(request);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"0\"",
        "0",
        "\"\"",
        "\"-1\"",
        "-1",
        "\"yesterday\"",
        "1.6e18",
        "null",
        "{}",
        "\"1605859200\"",
        "\"99999999999999999999\"",
        "\"9999999999999999999\"",
        "\"2020-11-20T08:00:00Z\""
      })
  void invalidTimesBecomeTheTimeOfReceipt(String time) {
    long before = System.currentTimeMillis();
    Event event = onlyOf("{}", "[" + time + ",\"x\"]");
    assertThat(event.nanos() / 1_000_000).isBetween(before, System.currentTimeMillis());
    assertThat(event.payload().getString("message")).isEqualTo("x");
  }

  @Test
  void timesMayBeNumbers() {
    assertThat(onlyOf("{}", "[" + NANOS + ",\"x\"]").nanos()).isEqualTo(NANOS);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 5, Long.MAX_VALUE})
  void invalidTimesInProtobufBecomeTheTimeOfReceipt(long nanos) {
    long before = System.currentTimeMillis();
    Entry entry = new Entry(nanos, "x", Map.of());
    server.push(PROTOBUF, Pushes.protobuf(List.of(new Stream(Map.of(), List.of(entry)))));
    assertThat(only().nanos() / 1_000_000).isBetween(before, System.currentTimeMillis());
  }

  @Test
  void linesThatAreNotStringsAreStoredAsJson() {
    Event object = onlyOf("{}", "[\"" + NANOS + "\",{\"a\": 1}]");
    assertThat(object.payload().encode()).isEqualTo("{\"_loki\":{\"labels\":{}},\"a\":1}");
    server.server.store.clear();
    Event number = onlyOf("{}", "[\"" + NANOS + "\",17]");
    assertThat(number.payload().getString("message")).isEqualTo("17");
  }

  @Test
  void illFormedTextIsReplaced() {
    byte[] body = utf8(json("{\"a\":\"?\"}", "[\"" + NANOS + "\",\"{\\\"a\\\":\\\"?\\\"}\"]"));
    for (int i = 0; i < body.length; i++) {
      body[i] = body[i] == '?' ? (byte) 0xff : body[i];
    }
    assertThat(server.push(JSON, body).statusCode()).isEqualTo(204);
    assertThat(only().payload().encode())
        .isEqualTo("{\"message\":\"{\\\"a\\\":\\\"\ufffd\\\"}\",\"labels\":{\"a\":\"\ufffd\"}}");
  }

  /** The line is kept, and can be found by its text. */
  @Test
  void tooDeeplyNestedObjectsAreStoredAsTexts() {
    for (int levels : new int[] {64, 65, 70}) {
      String line = "{\"a\":".repeat(levels) + "1" + "}".repeat(levels);
      server.server.store.clear();
      assertThat(server.push(PROTOBUF, Pushes.protobuf(one(line))).statusCode()).isEqualTo(204);
      if (levels == 64) {
        assertThat(only().payload().fieldNames()).containsExactlyInAnyOrder("_loki", "a");
      } else {
        assertThat(only().payload().getString("message")).isEqualTo(line);
      }
    }
  }

  /** Both encodings give the same payload. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "~{'n':7}~              | ~{OURS,'n':7}~",
        "~{}~                   | ~{OURS}~",
        "~{ }~                  | ~{OURS }~",
        "~{ 'n' : 7 } ~         | ~{OURS, 'n' : 7 } ~",
        "~ \\n\\t{'n':7}\\r\\n~ | ~{ \\n\\tOURS,'n':7}\\r\\n~",
        "~ {} ~                 | ~{ OURS} ~",
        "~{'n':1,'n':2}~        | ~{OURS,'n':1,'n':2}~",
        "~{'labels':{'app':1},'message':'m'}~ | ~{OURS,'labels':{'app':1},'message':'m'}~",
        "~{'a':{'_loki':1}}~    | ~{OURS,'a':{'_loki':1}}~",
        "~{'_lok':1,'_loki_':2}~ | ~{OURS,'_lok':1,'_loki_':2}~",
        "~{'n':1e999,'m':-0}~   | ~{OURS,'n':1e999,'m':-0}~"
      })
  void anObjectGetsItsLabelsAsTheFirstMember(String line, String payload) {
    String sent = unquoted(line);
    String ours = "\"_loki\":{\"labels\":{\"app\":\"shop\"}}";
    for (boolean isJson : new boolean[] {true, false}) {
      server.server.store.clear();
      push(sent, isJson);
      assertThat(server.payloads()).containsExactly(unquoted(payload).replace("OURS", ours));
    }
  }

  /**
   * Otherwise a reader could not recognize the member with the labels, or whether the line is an
   * object.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'_loki':{'labels':{}},'n':7}",
        "{'n':7,'_loki':null}",
        "{'n':7,'\\u005floki':1}",
        "{'n':7",
        "{'n':7}}",
        "{'n':7},",
        "{'n':7} {'n':8}",
        "{'n':07}",
        "{n:7}",
        "{'n':7,}",
        "[{'n':7}]",
        "\f{'n':7}",
        "{'n':7}\0",
        "\ufeff{'n':7}",
        "{'n':'\t'}"
      })
  void otherLinesAreStoredAsTexts(String line) {
    String sent = unquoted(line);
    for (boolean isJson : new boolean[] {true, false}) {
      server.server.store.clear();
      push(sent, isJson);
      JsonObject payload = new JsonObject().put("message", sent);
      payload.put("labels", new JsonObject().put("app", "shop"));
      assertThat(only().payload()).isEqualTo(payload);
    }
  }

  private static String unquoted(String text) {
    return text.replace('\'', '"').replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r");
  }

  private static void push(String line, boolean isJson) {
    byte[] body = isJson ? Pushes.json(one(line)) : Pushes.protobuf(one(line));
    assertThat(server.push(isJson ? JSON : PROTOBUF, body).statusCode()).isEqualTo(204);
  }

  /** A client may add newer lines to what it holds, and encode them in another way. */
  @Test
  void repeatedObjectsInOtherBatchesAreStoredOnce() {
    Map<String, String> labels = Map.of("app", "shop");
    Entry first = new Entry(NANOS, "{\"n\":1}", Map.of("trace", "ab"));
    Entry second = new Entry(NANOS, "{\"n\":2}", Map.of("trace", "ab"));
    Entry other = new Entry(NANOS, "{\"n\":1}", Map.of("trace", "cd"));
    for (List<Entry> entries :
        List.of(List.of(first), List.of(second, first), List.of(first, other, second))) {
      List<Stream> streams = List.of(new Stream(labels, entries));
      server.push(PROTOBUF, Pushes.protobuf(streams));
      server.push(JSON, Pushes.json(streams));
    }
    assertThat(server.events()).hasSize(3);
  }

  /** Labels are found by one name in texts and objects, and before fields of the object itself. */
  @Test
  void aTypeFieldIsFoundInTheLabelsFirst() {
    for (String line : List.of("text", "{\"labels\":{\"app\":\"own\"},\"kind\":\"k\"} ")) {
      server.server.store.clear();
      byte[] body = Pushes.json(one(line));
      server.push(JSON, body, "Hourglass-Type-Field", "labels.app");
      assertThat(only().type()).isEqualTo("shop");
      assertThat(server.payloads().get(0)).contains(line.equals("text") ? "text" : "\"k\"} ");
    }
    server.server.store.clear();
    server.push(JSON, Pushes.json(one("{\"kind\":\"k\"}")), "Hourglass-Type-Field", "kind");
    assertThat(only().type()).isEqualTo("k");
  }

  @Test
  void refusedEntriesDoNotFailTheRequest() {
    String bad = "[],[\"" + NANOS + "\"],7,{\"ts\":\"1\"},\"x\",null,";
    String large = "[\"" + NANOS + "\",\"" + "x".repeat(70_000) + "\"],";
    assertThat(server.json(json("{}", bad + large + "[\"" + NANOS + "\",\"good\"]")))
        .isEqualTo(204);
    assertThat(only().payload().getString("message")).isEqualTo("good");
    assertThat(rejects()).isGreaterThanOrEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"streams\":[]}",
        "{\"streams\":null}",
        "{\"streams\":[{}]}",
        "{\"streams\":[{\"stream\":{\"app\":\"a\"},\"values\":[]}]}",
        "{\"streams\":[{\"stream\":null,\"values\":null}],\"more\":{}}"
      })
  void pushesWithoutEntriesAreAccepted(String body) {
    assertThat(server.json(body)).isEqualTo(204);
    assertThat(server.events()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "nope",
        "{\"streams\":{}}",
        "{\"streams\":[7]}",
        "{\"streams\":[{\"stream\":\"{}\",\"values\":[]}]}",
        "{\"streams\":[{\"stream\":{},\"values\":{}}]}",
        "{\"streams\":[{\"stream\":{},\"values\":[[\"1\",\"x\"],]}]}",
        "{\"streams\":[{\"stream\":{},\"values\":[[\"1\",\"x\"]]}]}x",
        "{\"streams\":[{\"stream\":{},\"values\":[[\"1\",\"x\\q\"]]}]}",
        "{\"streams\":[{\"stream\":{},\"values\":[[\"1\",\"x\"]]"
      })
  void brokenJsonIsRefusedInText(String body) {
    HttpResponse<String> answer = server.push(JSON, utf8(body));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(text(answer)).contains("not a push in JSON at byte ");
    assertThat(server.events()).isEmpty();
  }

  @Test
  void brokenProtobufIsRefusedInText() throws IOException {
    byte[] request = Pushes.request(one("hello"));
    for (int cut = 1; cut < request.length; cut++) {
      byte[] body = Snappy.compress(Arrays.copyOf(request, cut));
      assertThat(text(server.push(PROTOBUF, body))).contains("not protobuf at byte ");
    }
    byte[] packed = Pushes.protobuf(one("hello"));
    for (int cut = 0; cut < packed.length; cut++) {
      HttpResponse<String> answer = server.push(PROTOBUF, Arrays.copyOf(packed, cut));
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(text(answer)).contains("block format of snappy");
    }
    // Groups, a field 0 that is a group, and a number of more than ten bytes.
    for (byte[] bad : List.of(new byte[] {0x0b}, new byte[] {0x04}, filled(11))) {
      assertThat(server.push(PROTOBUF, Snappy.compress(bad)).statusCode()).isEqualTo(400);
    }
    assertThat(server.events()).isEmpty();
  }

  private static byte[] filled(int count) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) 0x80);
    return bytes;
  }

  @Test
  void bodiesThatUnpackBeyondTheLimitAreRefused() throws IOException {
    byte[] zeros = Snappy.compress(new byte[IngestServer.MAX_BODY_BYTES + 1]);
    HttpResponse<String> answer = server.push(PROTOBUF, zeros);
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(text(answer)).contains("bytes unpacked, at most 1048576");
    byte[] lie = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 0};
    assertThat(server.push(PROTOBUF, lie).statusCode()).isEqualTo(400);
  }

  /** A few bytes of an entry repeat all the labels of its stream. */
  @Test
  void pushesThatWouldGrowBeyondMemoryAreRefused() {
    String labels = "{\"app\":\"" + "x".repeat(50_000) + "\"}";
    String values = String.join(",", Collections.nCopies(1_000, "[\"1\",\"\"]"));
    HttpResponse<String> answer = server.push(JSON, utf8(json(labels, values)));
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(text(answer)).contains("send it in parts");
    assertThat(server.server.service.inFlight().used()).isZero();
  }

  @Test
  void overloadAndOutageAreAnsweredAsRetryable() {
    byte[] body = Pushes.protobuf(one("hello"));
    server.server.store.answer(
        CompletableFuture.failedFuture(new OverloadedException("full", Duration.ofSeconds(3))));
    HttpResponse<String> answer = server.push(PROTOBUF, body);
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("3");
    assertThat(text(answer)).isEqualTo("full\n");
    server.server.store.answer(
        CompletableFuture.failedFuture(new UnavailableException("away", null)));
    answer = server.push(PROTOBUF, body);
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    server.server.store.answer(CompletableFuture.failedFuture(new IllegalStateException("a bug")));
    assertThat(server.push(PROTOBUF, body).statusCode()).isEqualTo(503);
  }

  @Test
  void otherEncodingsAreRefusedInText() {
    HttpResponse<String> answer = server.push(JSON, utf8("{}"), "Content-Encoding", "br");
    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(text(answer)).contains("want one of gzip, deflate, zstd");
  }
}
