package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.FieldMapping;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventMappingTest extends IngestFixture {
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
  void timeIsReadInEachForm(String time) {
    lines("{\"type\":\"a\",\"time\":" + time + "}");
    assertThat(ids()).hasSize(1).first().asString().startsWith("24031817|a|0 ");
    TimeUuid id = store.rows().values().iterator().next().id(0);
    assertThat(hourglass.bucketing.Ticks.text(id.ticks()))
        .isEqualTo("2018-03-24T17:15:20.6008430Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{%s,\"timestamp\":\"2026-11-20T07:00:00Z\"}                          ~ 07",
        "{%s,\"time\":null,\"@timestamp\":\"2026-11-20T07:00:00Z\"}         ~ 07",
        "{%s,\"ts\":1795158000}                                                 ~ 07",
        "{%s,\"eventTime\":\"1795158000123\"}                                 ~ 07",
        "{%s,\"eventTime\":1795158000,\"ts\":1795161600,\"@timestamp\":1795165200} ~ 09",
        "{%s,\"time\":1795158000,\"timestamp\":1795161600}                    ~ 07",
        "{%s,\"timestamp\":\"later\",\"ts\":1795158000}                     ~ 07",
        "{%s,\"timestamp\":{},\"@timestamp\":[],\"ts\":true,\"eventTime\":1795158000} ~ 07",
        "{%s,\"timestamp\":12,\"ts\":1795158000}                              ~ 07",
        "{%s,\"timestamp\":1,\"timestamp\":2,\"ts\":1795158000}             ~ 07",
        "{%s,\"time\":1795158000,\"ts\":1,\"ts\":2}                         ~ 07",
        "{%s,\"timestamp\":\"later\"}                                         ~ 10",
        "{%s,\"timestamp\":\"2026-11-20 07:00:00\"}                           ~ 10",
        "{%s,\"ts\":1,\"ts\":1795158000}                                      ~ 10",
        "{%s,\"data\":{\"ts\":1795158000}}                                    ~ 10",
      })
  void otherFieldsReplaceAnAbsentTime(String event, String hour) {
    Verdicts verdicts = lines(event.replace("%s", "\"type\":\"a\""));
    assertThat(verdicts).isEqualTo(new Verdicts(1, 0, hour.equals("10") ? 1 : 0, List.of()));
    assertThat(store.rows()).containsOnlyKeys(RowKey.parse("201126" + hour + "|a|0"));
  }

  @Test
  void aFutureTimeInAnotherFieldIsSkipped() {
    String event = "{\"type\":\"a\",\"timestamp\":\"2026-11-20T11:00:00Z\",\"ts\":1795158000}";
    assertThat(lines(event)).isEqualTo(new Verdicts(1, 0, 0, List.of()));
    assertThat(store.rows()).containsOnlyKeys(RowKey.parse("20112607|a|0"));
  }

  /** The parameter names the only field of the time. */
  @Test
  void noOtherFieldReplacesAConfiguredTimeField() {
    mapping = FieldMapping.of(name -> name.equals("time_field") ? "at" : null);
    assertThat(lines("{\"type\":\"a\",\"ts\":1795158000}").untimed()).isEqualTo(1);
    assertThat(lines("{\"type\":\"a\",\"at\":\"1795158000123456\"}").untimed()).isZero();
  }

  @Test
  void noOtherFieldReplacesTheTimeOfACloudEvent() {
    String event =
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\","
            + "\"timestamp\":\"2026-11-20T07:00:00Z\"}";
    assertThat(push(BodyFormat.CLOUDEVENTS, null, event).untimed()).isEqualTo(1);
  }

  @Test
  void eventsWithoutATimeAreCounted() {
    Verdicts verdicts =
        lines("{\"type\":\"a\"}\n{\"type\":\"a\",\"time\":null}\n{\"type\":\"a\"," + AT + "}");
    assertThat(verdicts).isEqualTo(new Verdicts(3, 0, 2, List.of()));
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
        "a.b   ~ {\"z\":[{\"a\":{\"b\":\"y\"}}], \"a\" : { \"c\" : {} , \"\\u0062\" : \"\\u0078\" }"
            + " }",
        "é.ü   ~ {\"é\":{\"ü\":\"x\"}}",
        "a..b  ~ {\"a\":{\"\":{\"b\":\"x\"}}}",
      })
  void mappedPathIsFollowed(String field, String event) {
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
        "{\"a.b\":null,\"a\":{\"b\":\"x\"}}         ~ type: not a string: null (field \"a.b\")",
        "{\"a\":[{\"b\":\"x\"}]}                    ~ type: missing (field \"a.b\")",
        "{\"b\":\"x\"}                              ~ type: missing (field \"a.b\")",
      })
  void aFailingMappedPathRejectsTheEvent(String event, String reason) {
    mapping = new FieldMapping("a.b", "time", "id", null);
    assertThat(reason(lines(event))).isEqualTo(reason);
  }

  @Test
  void mappingUsesAnyConfiguredFields() {
    mapping = new FieldMapping("kind", "ts", "kind", null);
    assertThat(lines("{\"kind\":\"k\",\"ts\":1521911720,\"type\":5,\"time\":\"x\"}").accepted())
        .isEqualTo(1);
    mapping = new FieldMapping("type", "time", "id", "all of them");
    assertThat(lines("{" + AT + "}\n{\"type\":5,\"type\":null," + AT + "}").accepted())
        .isEqualTo(1);
    assertThat(store.rows().keySet()).extracting(RowKey::type).containsExactly("k", "all of them");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\"} ~ ",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\",\"data\":{\"id\":5}}"
            + " ~ ",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"data_base64\":\"aGk=\"}"
            + " ~ ",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"subject\":null} ~"
            + " ",
        "{\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\"} ~ cloudevent: specversion: \"\", want"
            + " \"1.0\"",
        "{\"specversion\":\"0.3\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\"} ~ cloudevent:"
            + " specversion: \"0.3\", want \"1.0\"",
        "{\"specversion\":\"1.0\",\"source\":\"/s\",\"type\":\"a\"} ~ cloudevent: id: missing, want"
            + " a string that is not empty",
        "{\"specversion\":\"1.0\",\"id\":1,\"source\":\"/s\",\"type\":\"a\"} ~ cloudevent: id:"
            + " missing, want a string that is not empty",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"\",\"type\":\"a\"} ~ cloudevent:"
            + " source: missing, want a string that is not empty",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\"} ~ type: missing (field \"type\")",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"time\":1521911720}"
            + " ~ cloudevent: time: not a string",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"time\":\"1521911720\"}"
            + " ~ time: not a time: \"1521911720\"",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"data_base64\":\"?\"}"
            + " ~ cloudevent: data_base64: not base64",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"a\",\"data\":1,\"data_base64\":\"aGk=\"}"
            + " ~ cloudevent: data and data_base64: both given",
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"source\":\"/t\",\"type\":\"a\"}"
            + " ~ field: \"source\" occurs twice",
      })
  void cloudEventsFollowTheSpecification(String event, String reason) {
    Verdicts verdicts = push(BodyFormat.CLOUDEVENTS, null, event);
    if (reason == null) {
      assertThat(verdicts.accepted()).isEqualTo(1);
      assertThat(store.payloads()).containsExactly(event);
    } else {
      assertThat(reason(verdicts)).isEqualTo(reason);
    }
  }

  @Test
  void cloudEventIdsDifferBySource() {
    String event =
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"%s\",\"type\":\"a\"," + AT + "}";
    String batch = "[" + event.formatted("/s") + "," + event.formatted("/t") + "]";
    push(BodyFormat.CLOUDEVENTS, null, batch);
    push(BodyFormat.CLOUDEVENTS, null, batch);
    assertThat(ids()).hasSize(2);
  }
}
