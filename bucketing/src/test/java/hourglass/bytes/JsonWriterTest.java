package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.testing.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonWriterTest {
  private static final int OBJECTS = 2_000;
  private static final int MAX = 1 << 20;
  private static final String ALPHABET = "az\"\\/\b\f\n\r\t\0\u001f\u007fé€𝄞";

  private final LimitedRoom memory = new LimitedRoom(Long.MAX_VALUE);
  private final JsonWriter json = new JsonWriter(memory, 16, MAX);
  private final Random random = Seed.random(this);

  private static final class LimitedRoom implements JsonText.Room {
    private final long max;
    private long held;

    LimitedRoom(long max) {
      this.max = max;
    }

    @Override
    public void reserve(long bytes) {
      if (held + bytes > max) {
        throw new IllegalStateException("too much");
      }
      held += bytes;
    }

    @Override
    public void subtract(long bytes) {
      held -= bytes;
    }
  }

  /** Reads JSON by a general parser. */
  private static Object read(String json) {
    try (JsonParser parser = Json.parser(json)) {
      Object value = read(parser, parser.nextToken());
      assertThat(parser.nextToken()).isNull();
      return value;
    } catch (IOException e) {
      throw new AssertionError(json, e);
    }
  }

  private static Object read(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          object.put(name, read(parser, parser.nextToken()));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
          array.add(read(parser, t));
        }
        yield array;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      default -> null;
    };
  }

  private String written() {
    return new String(json.bytes(), 0, json.length(), StandardCharsets.UTF_8);
  }

  @Test
  void objectsAreReadAsWritten() {
    for (int i = 0; i < OBJECTS; i++) {
      json.cut(0);
      Map<String, Object> wanted = object(3);
      assertThat(read(written())).isEqualTo(wanted);
    }
    assertThat(memory.held).isEqualTo(json.bytes().length);
  }

  private Map<String, Object> object(int levels) {
    Map<String, Object> wanted = new LinkedHashMap<>();
    json.beginObject();
    for (int i = random.nextInt(5); i > 0; i--) {
      String key = i + text();
      if (random.nextBoolean()) {
        json.key(key);
      } else {
        byte[] utf8 = (text() + key + text()).getBytes(StandardCharsets.UTF_8);
        key = new String(utf8, StandardCharsets.UTF_8);
        json.key(utf8, 0, utf8.length);
      }
      wanted.put(key, value(levels));
    }
    json.endObject();
    return wanted;
  }

  private Object value(int levels) {
    switch (random.nextInt(levels == 0 ? 5 : 7)) {
      case 0 -> {
        String text = text();
        json.string(text);
        return text;
      }
      case 1 -> {
        long number = random.nextLong();
        json.number(number);
        return number;
      }
      case 2 -> {
        double number = random.nextGaussian();
        json.number(number);
        return number;
      }
      case 3 -> {
        json.bool(true);
        return true;
      }
      case 4 -> {
        json.nothing();
        return null;
      }
      case 5 -> {
        return object(levels - 1);
      }
      default -> {
        List<Object> wanted = new ArrayList<>();
        json.beginArray();
        for (int i = random.nextInt(4); i > 0; i--) {
          wanted.add(value(levels - 1));
        }
        json.endArray();
        return wanted;
      }
    }
  }

  private String text() {
    int[] points = ALPHABET.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(24); i > 0; i--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }

  @Test
  void illFormedTextIsReplaced() {
    byte[] latin1 = "caf\u00e9 \u00fc".getBytes(StandardCharsets.ISO_8859_1);
    json.string(latin1, 0, latin1.length);
    assertThat(written()).isEqualTo("\"caf\ufffd \ufffd\"");
  }

  /** For any bytes, the result is the JSON string that Java decodes from them. */
  @Test
  void anyBytesBecomeWellFormedText() {
    for (int i = 0; i < OBJECTS; i++) {
      byte[] bytes = new byte[random.nextInt(30)];
      random.nextBytes(bytes);
      json.cut(0);
      json.string(bytes, 0, bytes.length);
      byte[] text = Arrays.copyOf(json.bytes(), json.length() + Long.BYTES);
      Arrays.fill(text, json.length(), text.length, (byte) 0);
      JsonScanner scanner = new JsonScanner(1);
      scanner.reset();
      assertThat(scanner.value(text, 0)).isEqualTo(json.length());
      assertThat(scanner.notUtf8At()).isEqualTo(JsonScanner.FAILED);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -17, 0.5, 1e300, 9007199254740991.0, -1e-7})
  void numbersKeepTheirValue(double number) {
    json.number(number);
    assertThat(((Number) read(written())).doubleValue()).isEqualTo(number);
  }

  @Test
  void numbersWithoutAJsonFormBecomeTexts() {
    json.beginArray().number(Double.NaN).number(Double.NEGATIVE_INFINITY).endArray();
    assertThat(written()).isEqualTo("[\"NaN\",\"-Infinity\"]");
  }

  /** Plain text is copied in steps, so a special byte may be at any place in one. */
  @Test
  void charactersAreEscapedAtAnyPosition() {
    for (int length = 1; length < 20; length++) {
      for (int at = 0; at < length; at++) {
        StringBuilder text = new StringBuilder("x".repeat(length));
        text.setCharAt(at, '"');
        json.cut(0);
        json.string(text.toString());
        assertThat(written()).isEqualTo('"' + text.toString().replace("\"", "\\\"") + '"');
      }
    }
  }

  @Test
  void repairedValuesCanBeRepeated() {
    byte[] latin1 = "\"caf\u00e9\\n\"".getBytes(StandardCharsets.ISO_8859_1);
    json.beginArray().beginObject().key("a");
    int from = json.position();
    json.repaired(latin1, 0, latin1.length);
    int to = json.position();
    json.endObject().beginObject().key("a").number(2).key("b").again(from, to);
    json.key("c").number(3).endObject().again(from, to).endArray();
    String value = "\"caf\ufffd\\n\"";
    assertThat(written())
        .isEqualTo("[{\"a\":" + value + "},{\"a\":2,\"b\":" + value + ",\"c\":3}," + value + "]");
  }

  @Test
  void textsBeyondTheLimitAreRefused() {
    JsonWriter small = new JsonWriter(memory, 16, 100);
    assertThatThrownBy(() -> small.string("x".repeat(101)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("100 bytes");
  }

  @Test
  void growthReservesMemory() {
    JsonWriter limited = new JsonWriter(new LimitedRoom(1_000), 16, MAX);
    String text = "x".repeat(100);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                limited.string(text);
              }
            })
        .hasMessage("too much");
  }
}
