package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import hourglass.testing.RandomJson;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {
  private static final JsonFactory JACKSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(100_000)
                  .maxNumberLength(1_000_000)
                  .build())
          .build();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "[[]]",
        "[{}]",
        "{\"a\":[]}",
        "0",
        "-0",
        "-0.0e-0",
        "1E+9",
        "12.5",
        "true",
        "false",
        "null",
        "\"\"",
        "\"\\u00e9\\\\\\/\\b\\f\\n\\r\\t\\\"\"",
        "\"\\ud800\"",
        " [ 1 , 2 ] ",
        "{ \"a\" : { \"b\" : [ 1 , { } ] } , \"c\" : null }",
        "\"12345678\"",
        "\"é€😀\"",
        "[1,[2,[3]],4]",
      })
  void validValuesAreAccepted(String json) {
    assertThat(isJson(bytes(json))).as(json).isTrue();
    assertThat(isJsonForJackson(bytes(json))).as(json).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[",
        "]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x1",
        "NaN",
        "Infinity",
        "-Infinity",
        "tru",
        "True",
        "nul",
        "truex",
        "\"",
        "\"a",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u123\"",
        "\"\t\"",
        "\"\n\"",
        "\"\0\"",
        "{}{}",
        "{} x",
        "[1]]",
        "{\"a\":1}}",
        "[}",
        "{]",
        "/**/1",
        "1//",
        "\u00a01",
        "\"\u0001\"",
        "{1:2}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "\0",
        "[1\0]",
        "\"\\",
        "\"\\u",
        "--1",
        "1-1",
        "1.5.5",
      })
  void invalidValuesAreRefused(String json) {
    assertThat(isJson(bytes(json))).as(json).isFalse();
    assertThat(isJsonForJackson(bytes(json))).as(json).isFalse();
  }

  @Test
  void agreesWithJacksonOnMutatedDocuments() {
    long seed = Seed.next("JsonScannerTest");
    Random random = new Random(seed);
    int valid = 0;
    int documents = Tier.length(10_000, 60_000, 1_000_000);
    for (int i = 0; i < documents; i++) {
      byte[] json = bytes(RandomJson.value(random, 4));
      for (int mutation = random.nextInt(3); mutation > 0; mutation--) {
        json = mutated(json, random);
      }
      boolean expected = isJsonForJackson(json);
      valid += expected ? 1 : 0;
      assertThat(isJson(json))
          .as("seed %d, document %d: %s", seed, i, new String(json, StandardCharsets.ISO_8859_1))
          .isEqualTo(expected);
    }
    assertThat(valid)
        .as("seed %d: documents of both kinds", seed)
        .isBetween(documents / 4, documents / 6 * 5);
  }

  @Test
  void agreesWithTheDecoderOnUtf8() {
    long seed = Seed.next("JsonScannerTest");
    Random random = new Random(seed);
    for (int i = 0; i < Tier.length(30_000, 200_000, 2_000_000); i++) {
      byte[] text = new byte[2 + random.nextInt(12)];
      for (int at = 0; at < text.length; at++) {
        int[] leads = {0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0x80, 0x9f, 0xa0, 0xbf, 'a'};
        text[at] = (byte) leads[random.nextInt(leads.length)];
      }
      text[0] = '"';
      text[text.length - 1] = '"';
      assertThat(isJson(text))
          .as("seed %d: %s", seed, Arrays.toString(text))
          .isEqualTo(isUtf8(text));
    }
  }

  @Test
  void levelsBeyondTheBoundAreReportedWithoutStopping() {
    JsonScanner json = new JsonScanner(3);
    for (int levels = 1; levels <= 200; levels++) {
      byte[] b = padded(bytes("[".repeat(levels) + "]".repeat(levels) + " "));
      json.reset();
      assertThat(json.value(b, 0)).isEqualTo(2 * levels);
      assertThat(json.isTooDeep()).as("%d levels", levels).isEqualTo(levels > 3);
    }
  }

  @Test
  void aBodyOfBracketsFails() {
    JsonScanner json = new JsonScanner(64);
    json.reset();
    byte[] b = padded(bytes("[".repeat(1_000_000)));
    assertThat(json.value(b, 0)).isEqualTo(JsonScanner.FAILED);
  }

  private static byte[] mutated(byte[] json, Random random) {
    String splinters = "{}[],:\"\\0123456789.-+eEtrufalsn \t\n\r\u0001é";
    byte[] splinter = bytes(String.valueOf(splinters.charAt(random.nextInt(splinters.length()))));
    int at = random.nextInt(json.length + 1);
    int cut = Math.min(json.length - at, random.nextInt(3));
    byte[] put = random.nextInt(3) == 0 ? new byte[0] : splinter;
    byte[] out = Arrays.copyOf(json, json.length - cut + put.length);
    System.arraycopy(put, 0, out, at, put.length);
    System.arraycopy(json, at + cut, out, at + put.length, json.length - at - cut);
    return out;
  }

  private static boolean isJson(byte[] text) {
    JsonScanner json = new JsonScanner(64);
    json.reset();
    byte[] b = padded(text);
    int end = json.value(b, json.space(b, 0));
    return end >= 0 && json.space(b, end) == text.length && json.notUtf8At() < 0;
  }

  private static boolean isJsonForJackson(byte[] text) {
    if (!isUtf8(text)) {
      return false;
    }
    try (JsonParser parser = JACKSON.createParser(new String(text, StandardCharsets.UTF_8))) {
      int depth = 0;
      int values = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        parser.getText();
        values += depth == 0 ? 1 : 0;
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      }
      return values == 1;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isUtf8(byte[] text) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static byte[] padded(byte[] text) {
    return Arrays.copyOf(text, text.length + Long.BYTES);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
