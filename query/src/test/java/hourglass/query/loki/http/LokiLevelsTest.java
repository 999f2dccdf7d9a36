package hourglass.query.loki.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The level of lines, whatever protocol they came by, for Grafana's queries. */
class LokiLevelsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final String ALL =
      "start=2026-11-20T08:00:00Z&end=2026-11-20T09:00:00Z&time=2026-11-20T09:00:00Z&step=3600";

  private final OracleStore store = new OracleStore();

  /** Events that the store returned whole, since their fields did not suffice. */
  private final AtomicInteger whole = new AtomicInteger();

  private final WideColumnStore counting =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return store;
        }

        @Override
        public CompletionStage<FieldValues> values(FieldQuery query) {
          return super.values(query)
              .thenApply(
                  values -> {
                    values.whole().forEach(columns -> whole.addAndGet(columns.size()));
                    return values;
                  });
        }
      };
  private final QueryServer server = new QueryServer(counting, QueryOptions.builder().build());
  private int written;

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private void write(String payload) {
    long ticks = HOUR.startTicks() + ++written * Ticks.PER_SECOND;
    TimeUuid name = TimeUuid.first(ticks);
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder out = new ColumnsBuilder(1, bytes.length);
    out.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    store.write(List.of(new Mutation(new RowKey(HOUR, "t", 0), out.build())));
  }

  private JsonNode ask(String path, String query) throws IOException {
    String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
    QueryServer.Reply reply =
        server.get("/loki/api/v1/" + path + "?" + ALL + "&limit=1000&query=" + encoded);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return JSON.readTree(reply.body());
  }

  /** The values of an instant query, by the labels of their series. */
  private TreeMap<String, String> values(String query) throws IOException {
    TreeMap<String, String> values = new TreeMap<>();
    for (JsonNode series : ask("query", query).at("/data/result")) {
      values.put(series.get("metric").toString(), series.at("/value/1").textValue());
    }
    return values;
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " ==> ",
      quoteCharacter = '`',
      value = {
        // a push to Loki: labels, metadata, then the line
        "{\"message\":\"x\",\"labels\":{\"level\":\"ERROR\"}} ==> error",
        "{\"message\":\"x\",\"labels\":{\"lvl\":\"Wrn\",\"severity\":\"dbg\"}} ==> debug",
        "{\"message\":\"x\",\"labels\":{\"a\":\"b\"},\"metadata\":{\"level\":\"INFO\"}} ==> info",
        "{\"message\":\"x\",\"labels\":{\"lvl\":\"a\"},\"metadata\":{\"level\":\"INFO\"}} ==> a",
        "{\"message\":\"x\",\"labels\":{\"level\":\"a\"},\"metadata\":{\"detected_level\":\"TRC\"}} ==> trace",
        "{\"message\":\"info\",\"labels\":{\"a\":\"b\"},\"metadata\":{\"severity_number\":\"13\"}} ==> warn",
        "{\"message\":\"level=warning a=error\",\"labels\":{\"a\":\"b\"}} ==> warn",
        "{\"_loki\":{\"labels\":{}},\"lvl\":\"FATAL\"} ==> fatal",
        "{\"_loki\":{\"labels\":{\"level\":\"INFO\"}},\"lvl\":\"FATAL\"} ==> info",
        "{\"_loki\":{\"labels\":{},\"metadata\":{\"lvl\":\"INFO\"}},\"level\":\"FATAL\"} ==> info",
        "{\"_loki\":{\"labels\":{}},\"labels\":{\"level\":\"INFO\"},\"message\":\"an error\"} ==> info",
        "{\"_loki\":{\"labels\":{}},\"level\":30,\"severity_number\":9,\"msg\":\"an error\"} ==> error",
        "{\"message\":\"12:00 [ERROR] \\\"disk\\\" full\",\"labels\":{\"a\":\"b\"}} ==> error",
        "{\"message\":\"disk full\",\"labels\":{\"a\":\"b\",\"level\":\"\"}} ==> unknown",
        // JSON of an application, of ECS, and in an object
        "{\"level\":\"Information\",\"message\":\"an error\"} ==> info",
        "{\"level\":\"notice\",\"message\":\"an error\"} ==> notice",
        "{\"level\":null,\"message\":\"an error\"} ==> error",
        "{\"log.level\":\"warn\",\"message\":\"an error\"} ==> warn",
        "{\"log\":{\"level\":\"warn\"},\"message\":\"an error\"} ==> warn",
        "{\"message\":\"an error\"} ==> error",
        "{\"message\":\"all is well\"} ==> unknown",
        // OTLP, syslog, Splunk
        "{\"body\":\"x\",\"severity\":\"WARN2\",\"severity_number\":14} ==> warn",
        "{\"body\":\"error\",\"severity_number\":9} ==> info",
        "{\"message\":\"x\",\"severity\":\"err\",\"facility\":\"user\"} ==> error",
        "{\"message\":\"x\",\"severity\":\"crit\",\"facility\":\"user\"} ==> crit",
        "{\"event\":{\"severity\":\"DEBUG\"},\"host\":\"a\"} ==> debug",
        // keys that are escaped, double or dotted
        "{\"l\\u0065vel\":\"dbg\",\"message\":\"an error\"} ==> debug",
        "{\"message\":\"x\",\"labels\":{\"l\\u0065vel\":\"dbg\"}} ==> debug",
        "{\"level\":\"dbg\",\"level\":\"err\"} ==> error",
        "{\"labels.level\":\"err\",\"level\":\"dbg\"} ==> error",
      })
  void eachLineHasItsLevel(String payload, String level) throws IOException {
    write(payload);
    JsonNode stream = ask("query_range", "{service_name=`t`}").at("/data/result/0/stream");
    assertThat(stream.path("detected_level").asText()).isEqualTo(level);
    assertThat(values("sum by (detected_level) (count_over_time({service_name=`t`}[1h]))"))
        .hasToString("{{\"detected_level\":\"" + level + "\"}=1}");
    for (String filter : List.of("=`%s`", "=~`%s|none`", "!~`none`", "!=`none`")) {
      String test = "{service_name=`t`} | detected_level" + filter.formatted(level);
      assertThat(ask("query_range", test).at("/data/result")).as(test).hasSize(1);
      assertThat(ask("query_range", test.replace("|", "| drop level |")).at("/data/result"))
          .as(test)
          .hasSize(1);
    }
    for (String filter : List.of("!=`%s`", "!~`%s|none`", "=~`none`", "=``", "!~`.+`")) {
      String test = "{service_name=`t`} | detected_level" + filter.formatted(level);
      assertThat(ask("query_range", test).at("/data/result")).as(test).isEmpty();
    }
  }

  /** The page's filter; a size is left to the library of CEL, and the others are not. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " ==> ",
      quoteCharacter = '`',
      value = {
        "{\"level\":\"ERROR\",\"n\":1} ==> error",
        "{\"message\":\"level=warning a=error\",\"labels\":{\"a\":\"b\"}} ==> warn",
        "{\"message\":\"x\",\"metadata\":{\"level\":\"INFO\"}} ==> info",
        "{\"message\":\"x\",\"labels\":{\"level\":\"\"}} ==> unknown",
        "{\"l\\u0065vel\":\"dbg\",\"message\":\"an error\"} ==> debug",
        "{\"labels.level\":\"err\",\"level\":\"dbg\"} ==> error",
        "\"an error, as text\" ==> error",
      })
  void expressionsHaveTheSameLevel(String payload, String level) throws IOException {
    write(payload);
    assertThat(ask("query_range", "{detected_level=`" + level + "`}").at("/data/result"))
        .hasSize(1);
    for (String where :
        List.of(
            "detected_level == '%s'",
            "detected_level in ['none', '%s']",
            "detected_level.startsWith('%s')",
            "'%s' == detected_level && type == 't'",
            "size(detected_level) == size('%s')",
            "detected_level.matches('^%s$')")) {
      assertThat(events(where.formatted(level))).as(where).isEqualTo(1);
      assertThat(events("!(" + where.formatted(level) + ")")).as(where).isZero();
    }
    assertThat(events("detected_level != '" + level + "'")).isZero();
  }

  private long events(String where) throws IOException {
    String encoded = URLEncoder.encode(where, StandardCharsets.UTF_8);
    QueryServer.Reply hits = server.get("/api/v1/hits?hour=2026-11-20T08&step=1h&where=" + encoded);
    assertThat(hits.status()).as(where + hits.body()).isEqualTo(200);
    QueryServer.Reply lines =
        server.get("/api/v1/events?format=ndjson&hour=2026-11-20T08&where=" + encoded);
    long counted = JSON.readTree(hits.body()).get("total").asLong();
    assertThat(lines.body().lines()).as(where).hasSize((int) counted);
    return counted;
  }

  private void writeSome() {
    for (String level : List.of("ERROR", "error", "Warning", "info", "INFO")) {
      write("{\"level\":\"" + level + "\",\"n\":1}");
    }
  }

  @Test
  void theLevelLabelIsReturnedUnchanged() throws IOException {
    writeSome();
    assertThat(ask("query_range", "{level=\"error\"}").at("/data/result/0/values")).hasSize(1);
    assertThat(values("sum by (level, detected_level) (count_over_time({service_name=`t`}[1h]))"))
        .hasToString(
            "{{\"detected_level\":\"error\",\"level\":\"ERROR\"}=1, {\"detected_level\":\"error\",\"level\":\"error\"}=1, "
                + "{\"detected_level\":\"info\",\"level\":\"INFO\"}=1, {\"detected_level\":\"info\",\"level\":\"info\"}=1, "
                + "{\"detected_level\":\"warn\",\"level\":\"Warning\"}=1}");
  }

  @Test
  void grafanasVolumeByLevelIsReadFromFields() throws IOException {
    writeSome();
    String volume =
        "sum by (level, detected_level) (count_over_time({service_name=`t`} | drop __error__ [1h]))";
    assertThat(values(volume)).hasSize(5);
    assertThat(values("sum(count_over_time({service_name=`t`} | detected_level=`error` [1h]))"))
        .hasToString("{{}=2}");
    assertThat(whole).hasValue(0);
    write("{\"message\":\"an error\"}");
    assertThat(values(volume)).containsEntry("{\"detected_level\":\"error\"}", "1").hasSize(6);
    assertThat(whole).as("only the line without a field").hasValue(1);
  }

  @Test
  void aDroppedLevelIsNotALabel() throws IOException {
    writeSome();
    for (String stage : List.of("drop detected_level", "keep level")) {
      String by = "sum by (detected_level) (count_over_time({service_name=`t`} | %s [1h]))";
      assertThat(values(by.formatted(stage))).hasToString("{{}=5}");
    }
    assertThat(values("sum by (detected_level) (count_over_time({level=~`.+`} | drop level [1h]))"))
        .hasToString(
            "{{\"detected_level\":\"error\"}=2, {\"detected_level\":\"info\"}=2, {\"detected_level\":\"warn\"}=1}");
    assertThat(values("count_over_time({level=`info`} | keep detected_level [1h])"))
        .hasToString("{{\"detected_level\":\"info\"}=1}");
  }

  @Test
  void theDetectedLevelIsListedAsAField() throws IOException {
    writeSome();
    write("{\"detected_level\":\"own\"}"); // a parser's label, beside the level
    assertThat(ask("detected_fields", "{service_name=`t`}").get("fields"))
        .anySatisfy(
            field ->
                assertThat(field)
                    .hasToString(
                        "{\"label\":\"detected_level\",\"type\":\"string\",\"cardinality\":4,\"parsers\":null}"))
        .anySatisfy(
            field -> assertThat(field.get("label").asText()).isEqualTo("detected_level_extracted"));
    assertThat(ask("detected_field/detected_level/values", "{service_name=`t`}").get("values"))
        .hasToString("[\"error\",\"info\",\"unknown\",\"warn\"]");
    assertThat(ask("label/detected_level/values", "{service_name=`t`}").get("data"))
        .hasToString("[\"error\",\"info\",\"unknown\",\"warn\"]");
    assertThat(ask("detected_labels", "{service_name=`t`}").toString())
        .doesNotContain("detected_level"); // it is a label of no stream
  }
}
