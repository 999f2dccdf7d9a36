package hourglass.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bytes.JsonScanner;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.Json;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnescapedTextTest {
  private static final int TEXTS = Tier.length(5_000, 20_000, 1_000_000);
  private static final List<String> PIECES =
      List.of("\"", "\\", "\n", "\u0001", "{", "x", "plain text", "é", "€", "𝄞", "\u2028", " ");

  private final Random random = Seed.random(this);
  private final JsonScanner json = new JsonScanner(9);
  private final UnescapedText text = new UnescapedText(new LimitedMemory(1 << 20));

  private int read(String string) {
    json.reset();
    return text.read(json, Body.copyOf(string.getBytes(UTF_8)).bytes(), 1);
  }

  private String text() {
    return new String(text.bytes(), 0, text.length(), UTF_8);
  }

  /** A general encoder escapes the necessary characters, and at random others. */
  @Test
  void unescapedTextsAgreeWithAGeneralEncoder() {
    for (int i = 0; i < TEXTS; i++) {
      StringBuilder some = new StringBuilder();
      for (int pieces = random.nextInt(20); pieces > 0; pieces--) {
        some.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      String string = Json.encode(some.toString());
      string = random.nextBoolean() ? string : escaped(string);
      assertThat(read(string + ",\"next\"")).as(string).isEqualTo(string.getBytes(UTF_8).length);
      assertThat(text.isText()).as(string).isTrue();
      assertThat(text()).as(string).isEqualTo(some.toString());
    }
  }

  private String escaped(String string) {
    StringBuilder all = new StringBuilder();
    for (char c : string.toCharArray()) {
      boolean mustStay = c < 0x80 && (c == '"' || c == '\\' || Character.isLetterOrDigit(c));
      // Half a pair would be no text.
      all.append(mustStay ? String.valueOf(c) : "\\u%04x".formatted((int) c));
    }
    return all.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"\\b\\f\\n\\r\\t\\/\\\\\\\"\"",
        "\"\\u0022\\u005c\\u00e9\\u20ac\\ud834\\udd1e\"",
      })
  void eachEscapeIsDecoded(String string) {
    assertThat(read(string)).isEqualTo(string.length());
    assertThat(text()).isEqualTo(Json.decodeValue(string));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\ud834\"",
        "\"\\udd1e\\ud834\"",
        "\"\\ud834x\"",
        "\"\\ud834\\n\"",
        "\"\\ud834\\u0041\""
      })
  void loneSurrogatesAreNotText(String string) {
    assertThat(read(string)).isEqualTo(string.length());
    assertThat(text.isText()).isFalse();
  }

  /** The reader fails at the byte where the scanner fails. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"",
        "\"abc",
        "\"\\",
        "\"\\x\"",
        "\"\\u12",
        "\"\\u12x4\"",
        "\"\\ud834\\u12x4\"",
        "\"a\nb\"",
        "\"\\\""
      })
  void brokenStringsHaveTheErrorsOfTheScanner(String string) {
    assertThat(read(string)).isNegative();
    String problem = json.failedAt() + json.expected();
    json.reset();
    assertThat(json.string(Body.copyOf(string.getBytes(UTF_8)).bytes(), 1)).isNegative();
    assertThat(problem).isEqualTo(json.failedAt() + json.expected());
  }

  @Test
  void thePlaceOfInvalidUtf8IsReported() {
    byte[] latin1 = {'"', 'c', (byte) 0xe9, '"'};
    json.reset();
    assertThat(text.read(json, Body.copyOf(latin1).bytes(), 1)).isEqualTo(latin1.length);
    assertThat(json.notUtf8At()).isEqualTo(2);
    assertThat(text.length()).isEqualTo(2);
  }

  @Test
  void memoryIsReservedFirst() {
    String large = "\"" + "é".repeat(600_000) + "\"";
    assertThatThrownBy(() -> read(large)).isInstanceOf(RuntimeException.class);
  }
}
