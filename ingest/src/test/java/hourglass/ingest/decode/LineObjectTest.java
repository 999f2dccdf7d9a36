package hourglass.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonWriter;
import hourglass.testing.RandomJson;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineObjectTest {
  private static final int LEVELS_MAX = 5;
  private static final int LINES = Tier.length(10_000, 50_000, 2_000_000);

  private final Random random = Seed.random(this);
  private final LineObject object = new LineObject(LEVELS_MAX, "our");

  private boolean isObject(String line) {
    byte[] utf8 = line.getBytes(UTF_8);
    return isObject(utf8, utf8.length);
  }

  /** The line is in the middle of other bytes, those of a longer object. */
  private boolean isObject(byte[] line, int to) {
    byte[] b = new byte[line.length + 20];
    System.arraycopy(line, 0, b, 3, line.length);
    b[3 + line.length] = ' ';
    b[4 + line.length] = '}';
    return object.read(b, 3, 3 + to);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'a':1}             | {'our':7,'a':1}",
        "{}                  | {'our':7}",
        "~{ }~               | ~{'our':7 }~",
        "~ {'a':1} ~         | ~{ 'our':7,'a':1} ~",
        "~  { 'a' :1 }~      | ~{  'our':7, 'a' :1 }~",
        "{'a':{'our':1}}     | {'our':7,'a':{'our':1}}",
        "{'a':1,'a':'\\u00e9'} | {'our':7,'a':1,'a':'\\u00e9'}"
      })
  void aMemberIsInsertedAsTheFirst(String line, String payload) {
    assertThat(isObject(line.replace('\'', '"'))).isTrue();
    JsonWriter out = new JsonWriter(new LimitedMemory(1 << 20), 16, 1 << 10);
    object.begin(out);
    out.key("our").number(7);
    object.end(out);
    assertThat(new String(out.bytes(), 0, out.length(), UTF_8))
        .isEqualTo(payload.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "~~",
        "~  ~",
        "{",
        "{'a':1",
        "{'a':1}}",
        "{'a':1} x",
        "[{}]",
        "{'our':1}",
        "{'a':1,'our':{}}",
        "{'\\u006fur':null}",
        "{'a':[[[[[]]]]]}",
        "{'a':{'a':{'a':{'a':{'a':{}}}}}}"
      })
  void otherLinesAreNotObjects(String line) {
    assertThat(isObject(line.replace('\'', '"'))).isFalse();
  }

  @Test
  void objectsOfTheAllowedDepthAreAccepted() {
    assertThat(isObject("{\"a\":[[[[]]]]}")).isTrue();
    assertThat(isObject("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}")).isTrue();
  }

  @Test
  void anObjectWithInvalidUtf8IsRefused() {
    byte[] line = "{\"a\":\"?\"}".getBytes(UTF_8);
    line[6] = (byte) 0xff;
    assertThat(isObject(line, line.length)).isFalse();
  }

  /** A full parser judges the same bytes; bytes after the line do not matter. */
  @Test
  void mutatedLinesAgreeWithTheScanner() {
    JsonScanner scanner = new JsonScanner(LEVELS_MAX);
    for (int i = 0; i < LINES; i++) {
      byte[] line = RandomJson.object(random, 3).getBytes(UTF_8);
      for (int j = random.nextInt(3); j > 0; j--) {
        line[random.nextInt(line.length)] = (byte) " {}[]\",:1a\\".charAt(random.nextInt(11));
      }
      int to = random.nextInt(4) == 0 ? random.nextInt(line.length) : line.length;
      byte[] alone = Body.copyOf(Arrays.copyOf(line, to)).bytes();
      scanner.reset();
      int at = scanner.space(alone, 0);
      int end = alone[at] == '{' ? scanner.value(alone, at) : JsonScanner.FAILED;
      boolean isWhole = end >= 0 && scanner.space(alone, end) == to;
      boolean isObject = isWhole && !scanner.isTooDeep() && scanner.notUtf8At() < 0;
      assertThat(isObject(line, to)).as(new String(line, 0, to, UTF_8)).isEqualTo(isObject);
    }
  }
}
