package hourglass.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyFormatTest {
  private static BodyFormat guess(String body) {
    return BodyFormat.guess(Body.copyOf(body.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"n\":1}]",
        " \n[ { \"n\" : 1 },",
        "[",
        "[\n  {",
        "[]",
        "[[]]",
        "[1,2",
        "[true]\n",
        "[-1.5\n",
        "[\"a\" b",
        "{\n  \"n\": 1\n}",
        "\ufeff{\r\n\"n\":1\r\n}",
        "{\n \"n\" 1\n}",
      })
  void aDocumentIsReadAsJson(String body) {
    assertThat(guess(body)).isEqualTo(BodyFormat.JSON);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " \n\n",
        "{}",
        "{\"n\":1}\n{\"n\":2}",
        "\ufeff\n{\"n\":1}\nnope",
        "{\"n\":1\n{\"n\":2}",
        "{\"n\":\n{\"n\":2}",
        "{nope}",
        "{",
        "{\"n\":\"a\nb\"}",
      })
  void linesOfObjectsAreReadAsNdjson(String body) {
    assertThat(guess(body)).isEqualTo(BodyFormat.NDJSON);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello",
        "\n hello {\"n\":1}",
        "[2026-11-20 08:30:00] started",
        "[2026-11-20T08:30:00Z] started",
        "[main] INFO started",
        "[Thu Nov 20 08:30:00 2026] [error] closed",
        "[1234] started",
        "[1234] [main] started",
        "[true story] started",
        "[] started",
        "[[main]] started",
        "7",
        "\"text\"",
        "null",
        "level=info",
      })
  void otherBodiesAreReadAsText(String body) {
    assertThat(guess(body)).isEqualTo(BodyFormat.TEXT);
  }

  /** A line of brackets must not cause deep recursion. */
  @Test
  void manyBracketsAreReadAsBrokenJson() {
    assertThat(guess("[".repeat(1_000_000))).isEqualTo(BodyFormat.JSON);
    assertThat(guess("{\"a\":".repeat(100_000))).isEqualTo(BodyFormat.NDJSON);
  }
}
