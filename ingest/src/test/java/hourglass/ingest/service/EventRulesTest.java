package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.decode.BodyFormat;
import hourglass.store.Retention;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventRulesTest extends IngestFixture {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{}                                        ~ type: missing (field \"type\")",
        "{\"type\":null}                           ~ type: not a string: null (field \"type\")",
        "{\"type\":5}                              ~ type: not a string: 5 (field \"type\")",
        "{\"type\":{\"a\":1}}                      ~ type: not a string: {\"a\":1} (field"
            + " \"type\")",
        "{\"type\":\"\"}                           ~ type: empty, want 1 to 256 bytes",
        "{\"type\":\"\\ud800\"}                    ~ type: half a surrogate pair, want UTF-8",
        "{\"type\":\"a\",\"type\":\"b\"}           ~ field: \"type\" occurs twice",
        "{\"type\":\"a\",\"t\\u0079pe\":\"a\"}     ~ field: \"type\" occurs twice",
        "{\"type\":\"a\",\"id\":1,\"id\":1}        ~ field: \"id\" occurs twice",
        "{\"type\":\"a\",\"time\":1,\"time\":null} ~ field: \"time\" occurs twice",
        "{\"type\":\"a\",\"time\":\"yesterday\"}   ~ time: not a time: \"yesterday\"",
        "{\"type\":\"a\",\"time\":\"\"}            ~ time: not a time: \"\"",
        "{\"type\":\"a\",\"time\":\"2026-11-20 08:30:00,500\"} ~ time: not a time:"
            + " \"2026-11-20 08:30:00,500\"; it has no zone; want one, such as Z or +01:00, or"
            + " time_zone=UTC in the URL",
        "{\"type\":\"a\",\"time\":true}            ~ time: not a time: true",
        "{\"type\":\"a\",\"time\":[1]}             ~ time: not a time: [1]",
        "{\"type\":\"a\",\"time\":5}               ~ time: 5 is outside 2000-2099",
        "{\"type\":\"a\",\"time\":-5}              ~ time: -5 is outside 2000-2099",
        "{\"type\":\"a\",\"time\":1e300}           ~ time: 1e300 is outside 2000-2099",
        "{\"type\":\"a\",\"time\":\"1999-12-31T23:59:59Z\"} ~ time: \"1999-12-31T23:59:59Z\" is"
            + " outside 2000-2099",
        "{\"type\":\"a\",\"time\":\"2026-11-20T10:10:00.0000001Z\"} ~ time:"
            + " \"2026-11-20T10:10:00.0000001Z\" is later than 2026-11-20T10:10:00.0000000Z;"
            + " want at most 10 min ahead of now",
        "{\"type\":\"a\",\"id\":\"\\udc00\"}       ~ id: half a surrogate pair",
      })
  void rejectionHasItsReason(String event, String reason) {
    assertThat(reason(lines(event))).isEqualTo(reason);
    assertThat(store.writes()).isZero();
  }

  @Test
  void onlyTheEventWithInvalidUtf8IsRejected() {
    byte[] body =
        ("[{\"type\":\"a\",\"s\":\"??\"},{\"type\":\"b\"}]").getBytes(StandardCharsets.UTF_8);
    body[19] = (byte) 0xc3;
    Verdicts verdicts = push(BodyFormat.JSON, null, body);
    assertThat(verdicts.accepted()).isEqualTo(1);
    assertThat(verdicts.errors())
        .containsExactly(new Verdicts.ItemError(0, "event: not UTF-8 at byte 18 of it"));
  }

  @Test
  void typeLengthIsLimited() {
    assertThat(lines("{\"type\":\"" + "é".repeat(128) + "\"}").accepted()).isEqualTo(1);
    assertThat(reason(lines("{\"type\":\"" + "x".repeat(2048) + "\"}")))
        .isEqualTo("type: 2048 bytes, at most 256");
  }

  @Test
  void nestingIsLimited() {
    String deep = "{\"type\":\"a\",\"d\":" + "[".repeat(63) + "]".repeat(63) + "}";
    assertThat(lines(deep).accepted()).isEqualTo(1);
    String deeper = deep.replace("[]", "[[]]");
    Verdicts verdicts = json("[" + deeper + "," + deep + "]");
    assertThat(verdicts.accepted()).isEqualTo(1);
    assertThat(verdicts.errors().get(0).reason()).isEqualTo("event: nested deeper than 64 levels");
  }

  @Test
  void eventSizeIsLimited() {
    String fits = "{\"type\":\"a\",\"p\":\"" + "x".repeat((1 << 20) - 19) + "\"}";
    assertThat(fits).hasSize(1 << 20);
    Verdicts verdicts = lines(fits + "\n" + fits.replace("xxx", "xxxy").substring(0, 30) + "\"}");
    assertThat(verdicts.accepted()).isEqualTo(2);
    assertThat(reason(lines(fits.replace("\"p\"", "\"pp\""))))
        .isEqualTo("event: 1048577 bytes, at most 1048576");
  }

  @Test
  void latenessIsLimited() {
    options =
        new IngestOptions(
            Duration.ofDays(1), Duration.ZERO, 1000, 1000, 1 << 28, 8, 100, Retention.DEFAULTS);
    service = service();
    assertThat(lines("{\"type\":\"a\",\"time\":\"2026-11-19T10:00:00Z\"}").accepted()).isEqualTo(1);
    assertThat(reason(lines("{\"type\":\"a\",\"time\":\"2026-11-19T09:59:59Z\"}")))
        .isEqualTo(
            "time: \"2026-11-19T09:59:59Z\" is before 2026-11-19T10:00:00.0000000Z; want"
                + " at most 1 d behind now");
  }

  @Test
  void eventBeyondItsRetentionIsRejected() {
    options =
        new IngestOptions(
            Retention.FOREVER,
            Duration.ZERO,
            1000,
            1000,
            1 << 28,
            8,
            100,
            Retention.of(Retention.FOREVER, Map.of("debug", Duration.ofHours(6))));
    service = service();
    String old = "\"time\":\"2026-11-20T04:00:00Z\"}";
    assertThat(lines("{\"type\":\"audit\"," + old).accepted()).isEqualTo(1);
    assertThat(lines("{\"type\":\"debug\",\"time\":\"2026-11-20T04:00:01Z\"}").accepted())
        .isEqualTo(1);
    assertThat(reason(lines("{\"type\":\"debug\"," + old)))
        .isEqualTo(
            "time: \"2026-11-20T04:00:00Z\" is older than 6 h, and the type is not kept longer");
  }
}
