package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '$',
      value = {
        "a\"b\\c    | \"a\\\"b\\\\c\"",
        "$\n\u0001$ | \"\\u000a\\u0001\"",
        "é€😀      | \"é€😀\"",
        "\ud83dx   | \"\\ud83dx\"",
        "x\ude00   | \"x\\ude00\"",
      })
  void textsAreWrittenInCanonicalSpelling(String text, String json) {
    assertThat(new JsonText().string(text).toString()).isEqualTo(json);
  }

  @Test
  void nothingIsReservedBeforeTheFirstByte() {
    JsonText text =
        new JsonText(
            bytes -> {
              throw new IllegalStateException("no room");
            });
    assertThat(text.isEmpty()).isTrue();
    assertThatThrownBy(() -> text.raw("{}")).hasMessage("no room");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '$',
      value = {
        "{\"a\":\"b\\\\c\"} | \"{\\\"a\\\":\\\"b\\\\\\\\c\\\"}\"",
        "$[1,\r\n\t2]$  | \"[1,  \\u00092]\"",
        "[\"é\"]       | \"[\\\"é\\\"]\"",
      })
  void quotedJsonIsOneLine(String json, String string) {
    byte[] utf8 = ("x" + json).getBytes(StandardCharsets.UTF_8);
    assertThat(new JsonText().quoted(utf8, 1, utf8.length).toString()).isEqualTo(string);
  }
}
