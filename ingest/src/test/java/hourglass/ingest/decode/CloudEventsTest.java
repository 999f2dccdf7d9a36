package hourglass.ingest.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "application/json         ~ {\"n\": 1} ~ ,\"data\":{\"n\": 1}}",
        "application/json         ~ ` 5\n`     ~ ,\"data\":5}",
        "application/x+json; v=2  ~ \"s\"      ~ ,\"data\":\"s\"}",
        "text/plain               ~ a\"b       ~ ,\"data\":\"a\\\"b\"}",
        "application/octet-stream ~ hi         ~ ,\"data_base64\":\"aGk=\"}",
        "application/json         ~ ``         ~ }",
      })
  void dataBecomesJson(String contentType, String data, String expected) {
    assertThat(toJson(Map.of("id", "7"), contentType, data.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("{\"id\":\"7\",\"datacontenttype\":\"" + contentType + "\"" + expected);
  }

  @Test
  void invalidTextBecomesBase64() {
    assertThat(toJson(Map.of(), "text/plain", new byte[] {(byte) 0xe9}))
        .isEqualTo("{\"datacontenttype\":\"text/plain\",\"data_base64\":\"6Q==\"}");
    assertThat(toJson(Map.of(), null, new byte[] {1})).isEqualTo("{\"data_base64\":\"AQ==\"}");
    assertThat(toJson(Map.of(), null, "{\"n\":1} x".getBytes(StandardCharsets.UTF_8)))
        .startsWith("{\"data_base64\":");
  }

  @Test
  void jsonDataWithoutAContentTypeStaysJson() {
    assertThat(toJson(Map.of("id", "7"), null, " {\"n\": 1}\n".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("{\"id\":\"7\",\"data\":{\"n\": 1}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "1 2", "1,\"type\":\"x\"", "nope"})
  void jsonDataMustBeJson(String data) {
    assertThatThrownBy(
            () -> toJson(Map.of(), "application/json", data.getBytes(StandardCharsets.UTF_8)))
        .hasMessageStartingWith("data: not JSON at byte ");
  }

  @Test
  void reservedAttributesAreRefused() {
    assertThatThrownBy(() -> toJson(Map.of("data", "x"), null, new byte[0]))
        .hasMessage("data: not an attribute of a CloudEvent");
  }

  private static String toJson(Map<String, String> attributes, String contentType, byte[] data) {
    Body body = CloudEvents.toJson(attributes, contentType, Body.copyOf(data));
    return new String(body.bytes(), 0, body.length(), StandardCharsets.UTF_8);
  }
}
