package hourglass.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bytes.JsonScanner;
import hourglass.testing.RandomJson;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.Json;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineObjectTest {
  private static final int LEVELS_MAX = 5;
  private static final int LINES = Tier.length(10_000, 50_000, 2_000_000);

  private final Random random = Seed.random(this);
  private final LimitedMemory memory = new LimitedMemory(1 << 20);
  private final JsonScanner json = new JsonScanner(LEVELS_MAX);
  private final LineObject ofStrings = LineObject.ofStrings(memory, json, LEVELS_MAX);
  private final LineObject ofTexts = LineObject.ofTexts(memory, json, LEVELS_MAX);

  /** Whether it was known. Whatever is known must be an object, with the right other form. */
  private boolean isKnown(String line) {
    byte[] text = line.getBytes(UTF_8);
    byte[] string = Json.encode(line).getBytes(UTF_8);
    boolean isText = ofTexts.read(padded(text), 0) == text.length;
    int end = ofStrings.read(padded(string), 1);
    boolean isString = end == string.length - 1;
    assertThat(isString).as(line).isEqualTo(isText);
    if (isText) {
      assertThat(new JsonScanner(LEVELS_MAX).isObject(Body.copyOf(text).bytes(), 0, text.length, 0))
          .isTrue();
      assertThat(ofTexts.bytes()).startsWith(string);
      assertThat(ofTexts.length()).isEqualTo(string.length);
      assertThat(ofStrings.bytes()).startsWith(text);
      assertThat(ofStrings.length()).isEqualTo(text.length);
    }
    return isText;
  }

  /** In the middle of other bytes. */
  private static byte[] padded(byte[] line) {
    byte[] b = new byte[line.length + 20];
    System.arraycopy(line, 0, b, 0, line.length);
    b[line.length] = '\n';
    b[line.length + 1] = '"';
    b[line.length + 2] = '}';
    return b;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{ }",
        "{\"a\":1}",
        "{\"level\":\"info\",\"status\":200,\"ms\":12.5e-3,\"ok\":true,\"no\":null}",
        "{\"a\": \"b\", \"c\": [1, \"d\", {}, [], {\"e\": false}] }",
        "{\"\":\"\",\"a long name of a field\":\"a long text of a field\"}",
        "{\"größe\":\"€ 𝄞\"}",
        "{\"a\":[[[[1]]]]}",
      })
  void usualLinesAreKnown(String line) {
    assertThat(isKnown(line)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " {}",
        "{} ",
        "{}}",
        "[]",
        "1",
        "\"a\"",
        "{",
        "{]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,\"a\":1}",
        "{\"a\":1]",
        "{\"a\":[1}",
        "{\"a\":[1,]}",
        "{\"a\":[1 2]}",
        "{\"a\" 1}",
        "{a:1}",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":tru}",
        "{\"a\":\"b}",
        "{\"a\":\"\\n\"}",
        "{\"a\":\"\\\"\"}",
        "{\"a\":\"\u0001\"}",
        "{\"a\":\n1}",
        "{\"a\":[[[[[1]]]]]}",
      })
  void othersAreNot(String line) {
    assertThat(isKnown(line)).isFalse();
  }

  @Test
  void bytesThatAreNotUtf8AreUnknown() {
    byte[] line = padded("{\"a\":\"?\"}".getBytes(UTF_8));
    line[6] = (byte) 0xe2;
    assertThat(ofTexts.read(line, 0)).isEqualTo(LineObject.UNKNOWN);
  }

  @Test
  void mutatedLinesAreKnownOnlyIfTheyAreObjects() {
    int known = 0;
    for (int i = 0; i < LINES; i++) {
      StringBuilder line = new StringBuilder(RandomJson.object(random, 3));
      for (int changes = random.nextInt(3); changes > 0; changes--) {
        char c = "{}[],:\"\\ 01eé\n".charAt(random.nextInt(14));
        line.setCharAt(random.nextInt(line.length()), c);
      }
      // Without halves of surrogate pairs.
      known += isKnown(new String(line.toString().getBytes(UTF_8), UTF_8)) ? 1 : 0;
    }
    assertThat(known).isBetween(1, LINES - 1);
  }

  @Test
  void memoryIsReserved() {
    byte[] line = padded(("{\"a\":\"" + "x".repeat(3_000) + "\"}").getBytes(UTF_8));
    LimitedMemory little = new LimitedMemory(2_000);
    LineObject object = LineObject.ofTexts(little, json, LEVELS_MAX);
    assertThatThrownBy(() -> object.read(line, 0)).isInstanceOf(RuntimeException.class);
  }
}
