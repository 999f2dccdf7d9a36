package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyFormTest extends IngestFixture {
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
  void bodyMayBeOneObject(String template) {
    String body = template.replace("%s", AT);
    assertThat(json(body)).isEqualTo(new Verdicts(1, 0, 0, List.of()));
    assertThat(store.rows().keySet()).containsExactly(RowKey.parse("20112608|a|0"));
    String payload = body.strip().replace("\uFEFF", "");
    assertThat(store.payloads()).containsExactly(payload);
  }

  @Test
  void arrayElementsKeepTheirBytes() {
    String one = "{\"type\":\"a\", \"k\":\n1, " + AT + "}";
    String two = "{ \"type\":\"b\"," + AT + "}";
    assertThat(json("[ " + one + " ,\n" + two + "\n]").accepted()).isEqualTo(2);
    assertThat(store.payloads()).containsExactly(one, two);
  }

  @Test
  void lineEndingsMayDiffer() {
    String event = "{\"type\":\"a\"," + AT + "}";
    String body = "\n" + event + "\r\n \n\n\t" + event + " \n" + event;
    assertThat(lines(body)).isEqualTo(new Verdicts(3, 0, 0, List.of()));
    assertThat(store.payloads()).containsExactly(event, event, event);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", " \r\n \t", "\uFEFF"})
  void emptyBodyIsRejected(String body) {
    assertThat(reason(json(body))).isEqualTo("body: no event");
    assertThat(reason(lines(body))).isEqualTo("body: no event");
    assertThat(reason(json("[" + body.replace("\uFEFF", "") + "]"))).isEqualTo("body: no event");
  }

  @Test
  void onlyTheBadLineIsRejected() {
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
  void arrayProblemNamesTheBody() {
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
  void brokenArrayIsRejectedWhole(String template) {
    Verdicts verdicts = json(template.replace("%s", "{\"type\":\"a\"," + AT + "}"));
    assertThat(reason(verdicts)).contains("not JSON at byte ");
    assertThat(verdicts.rejected()).isEqualTo(1);
    assertThat(store.writes()).isZero();
  }

  @Test
  void largeArrayIsCheckedBeforeItsFirstWrite() {
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
  void arrayElementMustBeAnObject() {
    Verdicts verdicts = json("[1,\"a\",null,[],{\"type\":\"a\"," + AT + "},true]");
    assertThat(verdicts.accepted()).isEqualTo(1);
    assertThat(verdicts.errors())
        .extracting(Verdicts.ItemError::index)
        .containsExactly(0, 1, 2, 3, 5);
  }
}
