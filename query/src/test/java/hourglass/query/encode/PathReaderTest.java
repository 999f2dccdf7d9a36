package hourglass.query.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathReaderTest {

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
    PathReader reader = new PathReader(List.of(path), () -> false);
    assertThat(reader.read(bytes, 3, bytes.length - 6)).containsExactly(value);
  }

  @Test
  void findsManyInOnePass() {
    byte[] payload = "{\"a\":{\"b\":{\"c\":1}},\"d\":2}".getBytes(StandardCharsets.UTF_8);
    PathReader reader = new PathReader(List.of("a.b.c", "d", "a", "a.b", "e"), () -> false);
    for (int i = 0; i < 2; i++) {
      assertThat(reader.read(payload, 0, payload.length))
          .containsExactly("1", "2", "{\"b\":{\"c\":1}}", "{\"c\":1}", null);
    }
  }
}
