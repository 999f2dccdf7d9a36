package hourglass.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.OverloadedException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IngestServiceTest {
  private static final String AT = "\"time\":\"2026-11-20T08:00:00Z\"";
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

  private final FakeStore store = new FakeStore();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private IngestOptions options = IngestOptions.DEFAULTS;
  private FieldMapping mapping = FieldMapping.DEFAULT;
  private int shards = 1;
  private IngestService service = service();

  private IngestService service() {
    Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    return new IngestService(
        store,
        new FixedShards(shards, Map.of()),
        new TimeUuidGenerator(clock),
        options,
        Runnable::run,
        meters);
  }

  private Verdicts push(BodyFormat format, String key, String body) {
    return push(format, key, body.getBytes(StandardCharsets.UTF_8));
  }

  private Verdicts push(BodyFormat format, String key, byte[] body) {
    return service
        .ingest(new IngestRequest(format, mapping, key, Body.copyOf(body)))
        .toCompletableFuture()
        .join();
  }

  private Verdicts json(String body) {
    return push(BodyFormat.JSON, null, body);
  }

  private Verdicts lines(String body) {
    return push(BodyFormat.NDJSON, null, body);
  }

  private List<String> ids() {
    return store.rows().entrySet().stream()
        .flatMap(
            row -> {
              Columns columns = row.getValue();
              return java.util.stream.IntStream.range(0, columns.size())
                  .mapToObj(i -> row.getKey() + " " + columns.id(i));
            })
        .toList();
  }

  private static String reason(Verdicts verdicts) {
    assertThat(verdicts.accepted()).isZero();
    assertThat(verdicts.errors()).hasSize(1);
    return verdicts.errors().get(0).reason();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"a\",%s}",
        "  {\"type\":\"a\",%s}\n",
        "{ \"type\" : \"a\" , %s , \"x\" : { \"type\" : 5, \"time\" : [] } }",
        "{\"ty\\u0070e\":\"\\u0061\",%s}",
        "\uFEFF{\"type\":\"a\",%s}",
        "{\"type\":\"a\",\"n\":1,\"n\":2,%s}",
      })
  void takesAnObject(String template) {
    String body = template.replace("%s", AT);
    assertThat(json(body)).isEqualTo(new Verdicts(1, 0, 0, List.of()));
    assertThat(store.rows().keySet()).containsExactly(RowKey.parse("20112608|a|0"));
    String payload = body.strip().replace("\uFEFF", "");
    assertThat(store.payloads()).containsExactly(payload);
  }

  @Test
  void keepsElementsAsTheyCame() {
    String one = "{\"type\":\"a\", \"k\":\n1, " + AT + "}";
    String two = "{ \"type\":\"b\"," + AT + "}";
    assertThat(json("[ " + one + " ,\n" + two + "\n]").accepted()).isEqualTo(2);
    assertThat(store.payloads()).containsExactly(one, two);
  }

  @Test
  void takesLinesOfAllEndings() {
    String event = "{\"type\":\"a\"," + AT + "}";
    String body = "\n" + event + "\r\n \n\n\t" + event + " \n" + event;
    assertThat(lines(body)).isEqualTo(new Verdicts(3, 0, 0, List.of()));
    assertThat(store.payloads()).containsExactly(event, event, event);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", " \r\n \t", "\uFEFF"})
  void refusesABodyWithoutAnEvent(String body) {
    assertThat(reason(json(body))).isEqualTo("body: no event");
    assertThat(reason(lines(body))).isEqualTo("body: no event");
    assertThat(reason(json("[" + body.replace("\uFEFF", "") + "]"))).isEqualTo("body: no event");
  }

  @Test
  void refusesOnlyTheLinesThatAreWrong() {
    String good = "{\"type\":\"a\"," + AT + "}";
    String body =
        String.join(
            "\n",
            good,
            "{\"type\":\"a\"," + AT,
            good,
            "hello",
            good,
            "[" + good + "]",
            "5",
            good + "x",
            "{\"type\":\"a\",\"s\":\"\\x\"," + AT + "}",
            "",
            good + good,
            good);
    Verdicts verdicts = lines(body);
    assertThat(verdicts.accepted()).isEqualTo(4);
    assertThat(verdicts.rejected()).isEqualTo(7);
    assertThat(verdicts.errors())
        .extracting(Verdicts.ItemError::index)
        .containsExactly(1, 3, 5, 6, 7, 8, 9);
    assertThat(verdicts.errors())
        .extracting(Verdicts.ItemError::reason)
        .startsWith(
            "event: not JSON at byte 41 of it: ends too early, want a comma or }",
            "event: not JSON at byte 0 of it: want a value",
            "event: not a JSON object: [" + good + "]",
            "event: not a JSON object: 5",
            "event: not JSON at byte 42 of it: want the end of the line",
            "event: not JSON at byte 18 of it: want an escape of JSON");
  }

  @Test
  void speaksOfAnArrayWhereThereIsOne() {
    String event = "{\"type\":\"a\"," + AT + "}";
    String problem = "not JSON at byte %d%s: want nothing more";
    int at = event.length();
    assertThat(reason(json(event + event))).isEqualTo("event: " + problem.formatted(at, " of it"));
    assertThat(reason(json("[" + event + "]]")))
        .isEqualTo("body: " + problem.formatted(at + 2, "") + "; nothing of the array is stored");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%s,", "[%s", "[%s,", "[%s,]", "[%s]]", "[%s,{]", "[%s %s]", "[%s,x]", "[%s]x"})
  void trustsNothingOfABrokenBody(String template) {
    Verdicts verdicts = json(template.replace("%s", "{\"type\":\"a\"," + AT + "}"));
    assertThat(reason(verdicts)).contains("not JSON at byte ");
    assertThat(verdicts.rejected()).isEqualTo(1);
    assertThat(store.writes()).isZero();
  }

  @Test
  void looksAheadBeforeItWritesPartOfALargeArray() {
    String event = "{\"type\":\"a\"," + AT + ",\"p\":\"" + "x".repeat(5000) + "\"}";
    StringBuilder body = new StringBuilder("[").append(event);
    for (int i = 1; i < 2500; i++) {
      body.append(',').append(event);
    }
    assertThat(reason(json(body.toString()))).contains("ends too early");
    assertThat(store.writes()).isZero();
    assertThat(json(body.append(']').toString()).accepted()).isEqualTo(2500);
    assertThat(store.writes()).isEqualTo(2);
    assertThat(store.payloads()).hasSize(2500);
  }

  @Test
  void refusesElementsThatAreNoObjects() {
    Verdicts verdicts = json("[1,\"a\",null,[],{\"type\":\"a\"," + AT + "},true]");
    assertThat(verdicts.accepted()).isEqualTo(1);
    assertThat(verdicts.errors())
        .extracting(Verdicts.ItemError::index)
        .containsExactly(0, 1, 2, 3, 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{}                                        ~ type: missing (field \"type\")",
        "{\"type\":null}                           ~ type: missing (field \"type\")",
        "{\"type\":5}                              ~ type: not a string: 5 (field \"type\")",
        "{\"type\":{\"a\":1}}                      ~ type: not a string: {\"a\":1} (field \"type\")",
        "{\"type\":\"\"}                           ~ type: empty, want 1 to 256 bytes",
        "{\"type\":\"\\ud800\"}                    ~ type: half a surrogate pair, want UTF-8",
        "{\"type\":\"a\",\"type\":\"b\"}           ~ field: \"type\" occurs twice",
        "{\"type\":\"a\",\"t\\u0079pe\":\"a\"}     ~ field: \"type\" occurs twice",
        "{\"type\":\"a\",\"id\":1,\"id\":1}        ~ field: \"id\" occurs twice",
        "{\"type\":\"a\",\"time\":1,\"time\":null} ~ field: \"time\" occurs twice",
        "{\"type\":\"a\",\"time\":\"yesterday\"}   ~ time: not a time: \"yesterday\"",
        "{\"type\":\"a\",\"time\":\"\"}            ~ time: not a time: \"\"",
        "{\"type\":\"a\",\"time\":true}            ~ time: not a time: true",
        "{\"type\":\"a\",\"time\":[1]}             ~ time: not a time: [1]",
        "{\"type\":\"a\",\"time\":5}               ~ time: 5 is outside 2000-2099",
        "{\"type\":\"a\",\"time\":-5}              ~ time: -5 is outside 2000-2099",
        "{\"type\":\"a\",\"time\":1e300}           ~ time: 1e300 is outside 2000-2099",
        "{\"type\":\"a\",\"time\":\"1999-12-31T23:59:59Z\"} ~ time: \"1999-12-31T23:59:59Z\" is outside 2000-2099",
        "{\"type\":\"a\",\"time\":\"2026-11-20T10:10:00.0000001Z\"} ~ time: \"2026-11-20T10:10:00.0000001Z\" is later than 2026-11-20T10:10:00.0000000Z, now and PT10M early",
        "{\"type\":\"a\",\"id\":\"\\udc00\"}       ~ id: half a surrogate pair",
      })
  void saysWhatIsWrong(String event, String reason) {
    assertThat(reason(lines(event))).isEqualTo(reason);
    assertThat(store.writes()).isZero();
  }

  @Test
  void saysWhatIsNotUtf8AndKeepsTheRest() {
    byte[] body =
        ("[{\"type\":\"a\",\"s\":\"??\"},{\"type\":\"b\"}]").getBytes(StandardCharsets.UTF_8);
    body[19] = (byte) 0xc3;
    Verdicts verdicts = push(BodyFormat.JSON, null, body);
    assertThat(verdicts.accepted()).isEqualTo(1);
    assertThat(verdicts.errors())
        .containsExactly(new Verdicts.ItemError(0, "event: not UTF-8 at byte 18 of it"));
  }

  @Test
  void boundsTheLengthOfTypes() {
    assertThat(lines("{\"type\":\"" + "é".repeat(128) + "\"}").accepted()).isEqualTo(1);
    assertThat(reason(lines("{\"type\":\"" + "x".repeat(2048) + "\"}")))
        .isEqualTo("type: 2048 bytes, at most 256");
  }

  @Test
  void boundsNesting() {
    String deep = "{\"type\":\"a\",\"d\":" + "[".repeat(63) + "]".repeat(63) + "}";
    assertThat(lines(deep).accepted()).isEqualTo(1);
    String deeper = deep.replace("[]", "[[]]");
    Verdicts verdicts = json("[" + deeper + "," + deep + "]");
    assertThat(verdicts.accepted()).isEqualTo(1);
    assertThat(verdicts.errors().get(0).reason()).isEqualTo("event: nested deeper than 64 levels");
  }

  @Test
  void boundsEvents() {
    String fits = "{\"type\":\"a\",\"p\":\"" + "x".repeat((1 << 20) - 19) + "\"}";
    assertThat(fits).hasSize(1 << 20);
    Verdicts verdicts = lines(fits + "\n" + fits.replace("xxx", "xxxy").substring(0, 30) + "\"}");
    assertThat(verdicts.accepted()).isEqualTo(2);
    assertThat(reason(lines(fits.replace("\"p\"", "\"pp\""))))
        .isEqualTo("event: 1048577 bytes, at most 1048576");
  }

  @Test
  void boundsHowLateAnEventMayBe() {
    options =
        new IngestOptions(
            Duration.ofDays(1), Duration.ZERO, 1000, 1000, 1 << 28, 8, 100, Retention.KEEP);
    service = service();
    assertThat(lines("{\"type\":\"a\",\"time\":\"2026-11-19T10:00:00Z\"}").accepted()).isEqualTo(1);
    assertThat(reason(lines("{\"type\":\"a\",\"time\":\"2026-11-19T09:59:59Z\"}")))
        .isEqualTo(
            "time: \"2026-11-19T09:59:59Z\" is before 2026-11-19T10:00:00.0000000Z, now less PT24H");
  }

  @Test
  void refusesWhatItsRetentionWouldDeleteAtOnce() {
    options =
        new IngestOptions(
            null,
            Duration.ZERO,
            1000,
            1000,
            1 << 28,
            8,
            100,
            type -> type.equals("debug") ? Duration.ofHours(6) : null);
    service = service();
    String old = "\"time\":\"2026-11-20T04:00:00Z\"}";
    assertThat(lines("{\"type\":\"audit\"," + old).accepted()).isEqualTo(1);
    assertThat(lines("{\"type\":\"debug\",\"time\":\"2026-11-20T04:00:01Z\"}").accepted())
        .isEqualTo(1);
    assertThat(reason(lines("{\"type\":\"debug\"," + old)))
        .isEqualTo(
            "time: \"2026-11-20T04:00:00Z\" is older than PT6H, and the type is not kept longer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"2018-03-24T17:15:20.600843Z\"",
        "\"2018-03-24T18:15:20.600843\\u002b01:00\"",
        "1521911720.600843",
        "1521911720600.843",
        "1521911720600843",
        "1521911720600843000",
        "\"1521911720.600843\"",
      })
  void readsTimesInEachForm(String time) {
    lines("{\"type\":\"a\",\"time\":" + time + "}");
    assertThat(ids()).hasSize(1).first().asString().startsWith("24031817|a|0 ");
    TimeUuid id = store.rows().values().iterator().next().id(0);
    assertThat(hourglass.bucketing.Ticks.text(id.ticks()))
        .isEqualTo("2018-03-24T17:15:20.6008430Z");
  }

  @Test
  void countsEventsThatCameWithoutATime() {
    Verdicts verdicts =
        lines("{\"type\":\"a\"}\n{\"type\":\"a\",\"time\":null}\n{\"type\":\"a\"," + AT + "}");
    assertThat(verdicts).isEqualTo(new Verdicts(3, 0, 2, List.of()));
    assertThat(new String(verdicts.toJson(), StandardCharsets.UTF_8))
        .isEqualTo("{\"accepted\":3,\"rejected\":0,\"untimed\":2,\"errors\":[]}");
    assertThat(store.payloads()).hasSize(3);
    assertThat(store.rows()).containsKey(RowKey.parse("20112610|a|0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "a.b   ~ {\"a\":{\"b\":\"x\"}}",
        "a.b   ~ {\"a\":{\"b\":\"y\"},\"a.b\":\"x\"}",
        "a.b   ~ {\"a.b\":\"x\",\"a\":{\"b\":\"y\"},\"a\":1}",
        "a.b.c ~ {\"a\":{\"b\":{\"c\":\"x\"}}}",
        "a.b.c ~ {\"a\":{\"b.c\":\"x\",\"b\":{\"c\":\"y\"}}}",
        "a.b.c ~ {\"a.b\":{\"c\":\"x\"},\"a\":{\"b\":{\"c\":\"y\"}}}",
        "a.b.c ~ {\"a.b\":{\"d\":\"y\"},\"a\":{\"b\":{\"c\":\"x\"}}}",
        "a.b   ~ {\"z\":[{\"a\":{\"b\":\"y\"}}], \"a\" : { \"c\" : {} , \"\\u0062\" : \"\\u0078\" } }",
        "é.ü   ~ {\"é\":{\"ü\":\"x\"}}",
        "a..b  ~ {\"a\":{\"\":{\"b\":\"x\"}}}",
      })
  void followsPaths(String field, String event) {
    mapping = new FieldMapping(field, "time", "id", null);
    assertThat(lines(event)).isEqualTo(new Verdicts(1, 0, 1, List.of()));
    assertThat(store.rows().keySet()).extracting(RowKey::type).containsExactly("x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{\"a\":{\"b\":\"x\"},\"a\":{\"b\":\"x\"}}  ~ field: \"a.b\" occurs twice",
        "{\"a\":{\"b\":\"x\",\"b\":\"x\"}}          ~ field: \"a.b\" occurs twice",
        "{\"a.b\":null,\"a\":{\"b\":\"x\"}}         ~ type: missing (field \"a.b\")",
        "{\"a\":[{\"b\":\"x\"}]}                    ~ type: missing (field \"a.b\")",
        "{\"b\":\"x\"}                              ~ type: missing (field \"a.b\")",
      })
  void refusesPathsThatLeadNowhere(String event, String reason) {
    mapping = new FieldMapping("a.b", "time", "id", null);
    assertThat(reason(lines(event))).isEqualTo(reason);
  }

  @Test
  void mapsAnyFields() {
    mapping = new FieldMapping("kind", "ts", "kind", null);
    assertThat(lines("{\"kind\":\"k\",\"ts\":1521911720,\"type\":5,\"time\":\"x\"}").accepted())
        .isEqualTo(1);
    mapping = new FieldMapping("type", "time", "id", "all of them");
    assertThat(lines("{" + AT + "}\n{\"type\":5,\"type\":null," + AT + "}").accepted())
        .isEqualTo(1);
    assertThat(store.rows().keySet()).extracting(RowKey::type).containsExactly("k", "all of them");
  }

  @Test
  void writesTheSameColumnForTheSameId() {
    lines("{\"type\":\"a\",\"id\":\"7\"," + AT + "}");
    lines("{\"type\":\"a\",\"id\":\"\\u0037\",\"more\":1," + AT + "}");
    lines("{\"type\":\"a\",\"id\":7," + AT + "}");
    assertThat(ids()).hasSize(1);
    assertThat(store.payloads()).containsExactly("{\"type\":\"a\",\"id\":7," + AT + "}");
    lines("{\"type\":\"a\",\"id\":\"8\"," + AT + "}");
    lines("{\"type\":\"b\",\"id\":\"7\"," + AT + "}");
    lines("{\"type\":\"a\",\"id\":\"7\",\"time\":\"2026-11-20T08:00:01Z\"}");
    assertThat(ids()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "\"\"", "true", "{}", "[1]"})
  void countsOtherIdsAsNone(String id) {
    String event = "{\"type\":\"a\",\"id\":" + id + "," + AT + "}";
    lines(event);
    lines(event);
    assertThat(ids()).hasSize(2);
  }

  @Test
  void identifiesByKeyDigestAndPosition() {
    String body = ("{\"type\":\"a\"," + AT + "}\n").repeat(3);
    push(BodyFormat.NDJSON, "key", body);
    push(BodyFormat.NDJSON, "key", body);
    assertThat(ids()).hasSize(3);
    push(BodyFormat.NDJSON, "other", body);
    assertThat(ids()).hasSize(6);
    push(BodyFormat.NDJSON, "key", body + "\n");
    assertThat(ids()).hasSize(9);
    lines(body);
    lines(body);
    assertThat(ids()).hasSize(15);
  }

  @Test
  void namesEventsOfOneTickInTheOrderSent() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 6000; i++) {
      body.append("{\"type\":\"a\",\"n\":").append(i).append(',').append(AT).append("}\n");
    }
    lines(body.toString());
    assertThat(store.payloads()).hasSize(6000).first().asString().contains("\"n\":0,");
    assertThat(String.join("\n", store.payloads()) + "\n").isEqualTo(body.toString());
  }

  @Test
  void groupsByHourTypeAndShard() {
    shards = 3;
    service = service();
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      body.append(
          "{\"type\":\"%s\",\"id\":%d,\"time\":\"2026-11-20T0%d:00:00Z\"}\n"
              .formatted(i % 5 == 0 ? "a" : "b", i, i % 7));
    }
    assertThat(lines(body.toString()).accepted()).isEqualTo(3000);
    assertThat(store.writes()).isEqualTo(1);
    assertThat(store.rows()).hasSize(2 * 7 * 3);
    assertThat(store.payloads()).hasSize(3000).doesNotHaveDuplicates();
  }

  @Test
  void takesMoreTypesThanItRemembers() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      body.append("{\"type\":\"type %d\",%s}\n".formatted(i % 2500, AT));
    }
    assertThat(lines(body.toString()).accepted()).isEqualTo(5000);
    assertThat(store.rows()).hasSize(2500);
  }

  @Test
  void listsOnlyTheFirstErrorsAndCountsAll() {
    Verdicts verdicts = lines("{}\n".repeat(1000));
    assertThat(verdicts.rejected()).isEqualTo(1000);
    assertThat(verdicts.errors()).hasSize(100);
    assertThat(
            meters.get("hourglass.ingest.rejects").tag("reason", "type_missing").counter().count())
        .isEqualTo(1000);
    String ledger = new String(service.rejects().toJson(), StandardCharsets.UTF_8);
    assertThat(ledger)
        .startsWith("{\"total\":1000,\"rejects\":[{\"type\":null,\"reason\":\"type: missing\",")
        .contains("\"count\":1000", "\"event\":\"{}\"");
  }

  @Test
  void keepsTheLedgerSmallWhateverIsSent() {
    for (int i = 0; i < 2000; i++) {
      lines("{\"type\":\"t%d\",\"time\":\"%d\",\"p\":\"%s\"}".formatted(i, i, "x".repeat(2000)));
    }
    assertThat(service.rejects().toJson().length).isLessThan(1_000_000);
    assertThat(new String(service.rejects().toJson(), StandardCharsets.UTF_8))
        .contains("\"total\":2000");
  }

  @Test
  void passesTheStoresFailureOnAndFreesTheBudget() {
    store.answer(
        CompletableFuture.failedFuture(new OverloadedException("full", Duration.ofSeconds(3))));
    assertThatThrownBy(() -> lines("{\"type\":\"a\"}"))
        .hasCauseInstanceOf(OverloadedException.class);
    assertThat(service.inFlight().used()).isZero();
    store.answer(new CompletableFuture<>());
    var unanswered =
        service.ingest(
            new IngestRequest(
                BodyFormat.JSON,
                mapping,
                null,
                Body.copyOf("{\"type\":\"a\"}".getBytes(StandardCharsets.UTF_8))));
    assertThat(unanswered.toCompletableFuture()).isNotDone();
    assertThat(service.inFlight().used()).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\"} ~ ",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\",\"data\":{\"id\":5}} ~ ",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"data_base64\":\"aGk=\"} ~ ",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"subject\":null} ~ ",
        "{\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\"} ~ cloudevent: specversion: \"\", want \"1.0\"",
        "{\"specversion\":\"0.3\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\"} ~ cloudevent: specversion: \"0.3\", want \"1.0\"",
        "{\"specversion\":\"1.0\",\"source\":\"/s\",\"type\":\"a\"} ~ cloudevent: id: missing, want a string that is not empty",
        "{\"specversion\":\"1.0\",\"id\":1,\"source\":\"/s\",\"type\":\"a\"} ~ cloudevent: id: missing, want a string that is not empty",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"\",\"type\":\"a\"} ~ cloudevent: source: missing, want a string that is not empty",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\"} ~ type: missing (field \"type\")",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"time\":1521911720} ~ cloudevent: time: not a string",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"time\":\"1521911720\"} ~ time: not a time: \"1521911720\"",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"data_base64\":\"?\"} ~ cloudevent: data_base64: not base64",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"data\":1,\"data_base64\":\"aGk=\"} ~ cloudevent: data and data_base64: both given",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"source\":\"/t\",\"type\":\"a\"} ~ field: \"source\" occurs twice",
      })
  void holdsCloudEventsToTheSpecification(String event, String reason) {
    Verdicts verdicts = push(BodyFormat.CLOUDEVENTS, null, event);
    if (reason == null) {
      assertThat(verdicts.accepted()).isEqualTo(1);
      assertThat(store.payloads()).containsExactly(event);
    } else {
      assertThat(reason(verdicts)).isEqualTo(reason);
    }
  }

  @Test
  void tellsIdsOfDifferentSourcesApart() {
    String event =
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"%s\",\"type\":\"a\"," + AT + "}";
    String batch = "[" + event.formatted("/s") + "," + event.formatted("/t") + "]";
    push(BodyFormat.CLOUDEVENTS, null, batch);
    push(BodyFormat.CLOUDEVENTS, null, batch);
    assertThat(ids()).hasSize(2);
  }
}
