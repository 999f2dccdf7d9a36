package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPathTest {
  private static final String[] KEYS = {"a", "b", "a.b", "b.a", "", "a.", "é", "q\"", "a.b.a"};

  private final Random random = Seed.random(this);

  @Test
  void agreesWithAGeneralParser() {
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      String path = path();
      byte[] payload = ("  " + object(0) + " ").getBytes(StandardCharsets.UTF_8);
      JsonPath field = new JsonPath(path, () -> false);
      String text = field.find(payload, 1, payload.length) ? field.text() : null;
      assertThat(text)
          .as("%s in %s", path, new String(payload, StandardCharsets.UTF_8))
          .isEqualTo(new JsonPathOracle(List.of(path)).read(payload, 1, payload.length - 1)[0]);
      found += text == null ? 0 : 1;
    }
    assertThat(found).isBetween(500, 18_000);
  }

  private String path() {
    StringBuilder path = new StringBuilder(pick(KEYS));
    for (int more = random.nextInt(3); more > 0; more--) {
      path.append('.').append(pick(KEYS));
    }
    return path.toString();
  }

  private String object(int depth) {
    StringBuilder json = new StringBuilder("{");
    for (int left = random.nextInt(5); left > 0; left--) {
      json.append(space()).append(new JsonText().string(pick(KEYS))).append(space()).append(':');
      json.append(space()).append(value(depth)).append(space()).append(left > 1 ? "," : "");
    }
    return json.append(space()).append('}').toString();
  }

  private String value(int depth) {
    return switch (random.nextInt(depth < 4 ? 8 : 4)) {
      case 0 -> "null";
      case 1 -> "\"}\\\"{\\u00e9\"";
      case 2 -> "-1.5e3";
      case 3 -> "[{\"a\":[]} , 1]";
      default -> object(depth + 1);
    };
  }

  private String space() {
    return random.nextInt(6) == 0 ? "\n\t " : "";
  }

  private String pick(String[] of) {
    return of[random.nextInt(of.length)];
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "absent",
      value = {
        "a       | {\"a\":1}                           | 1",
        "a       | {\"b\":1}                           | absent",
        "a       | {\"a\":null}                        | absent",
        "a       | {\"a\":\"x\\ny\\u00e9\"}            | 'x\nyé'",
        "a       | {\"a\":1.50e3}                      | 1.50e3",
        "a       | {\"a\":true}                        | true",
        "a       | {\"a\": {\"b\" : [1, 2]} }          | {\"b\" : [1, 2]}",
        "a       | {\"x\":[{\"a\":1}],\"a\":[ 3 ]}     | [ 3 ]",
        "a.b     | {\"a\":{\"b\":1}}                   | 1",
        "a.b     | {\"a.b\":2,\"a\":{\"b\":1}}         | 2",
        "a.b     | {\"a\":{\"b\":1},\"a.b\":2}         | 2",
        "a.b.c   | {\"a\":{\"b.c\":1,\"b\":{\"c\":2}}} | 1",
        "a.b.c   | {\"a.b\":{\"c\":1},\"a\":{\"b.c\":2}} | 1",
        "a.b     | {\"a\":[{\"b\":1}]}                 | absent",
        "a.b     | {\"a\":1}                           | absent",
        "a       | {\"a\":1,\"a\":2}                   | 2",
        "a       | [1]                                 | absent",
        "a       | {\"a\":                             | absent",
      })
  void findsTheField(String path, String payload, String value) {
    byte[] bytes = ("..." + payload + "...").getBytes(StandardCharsets.UTF_8);
    JsonPath field = new JsonPath(path, () -> false);
    for (int i = 0; i < 2; i++) {
      String text = field.find(bytes, 3, bytes.length - 3) ? field.text() : null;
      assertThat(text).isEqualTo(value);
    }
  }

  @Test
  void findsNothingInTruncatedJson() {
    byte[] whole =
        "{\"a\":{\"b\":[1,{\"c\":\"x\\\"y\"}]},\"d\":12}".getBytes(StandardCharsets.UTF_8);
    JsonPath path = new JsonPath("d", () -> false);
    assertThat(path.find(whole, 0, whole.length)).isTrue();
    for (int end = 0; end < whole.length - 4; end++) {
      assertThat(path.find(whole, 0, end)).as("%s bytes", end).isFalse();
    }
  }
}
