package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTextsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '\0',
      value = {
        "{\"a\":1,\"b c\":[\"x\\\"y\",null,-2.5e3],\"d\":{}} § 's:a|1|s:b c|s:x\\\"y|null|-2.5e3|s:d",
        "[ true , false ] § true|false",
        "\"one text\" § s:one text",
        "{\"\":\"\"} § s:|s:",
        "12.5 § 12.5",
        "he said \"no\" § he said \"no\"",
        "{\"cut\":\"of § s:cut|s:of",
        "{\"cut\\ § s:cut\\",
        "{broken\"text\"} § broken|s:text",
      })
  void findsTheTextsOfPayloads(String payload, String texts) {
    assertThat(String.join("|", read(payload))).isEqualTo(texts.replace("'", ""));
  }

  private static List<String> read(String payload) {
    byte[] bytes = ("\"" + payload + "\"").getBytes(StandardCharsets.UTF_8);
    List<String> found = new ArrayList<>();
    JsonTexts texts = new JsonTexts();
    for (texts.reset(bytes, 1, bytes.length - 1); texts.next(); ) {
      String text =
          new String(bytes, texts.from(), texts.to() - texts.from(), StandardCharsets.UTF_8);
      found.add((texts.isString() ? "s:" : "") + text);
    }
    return found;
  }
}
