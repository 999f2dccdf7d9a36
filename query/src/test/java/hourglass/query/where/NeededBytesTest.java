package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.where.json.Backslashes;
import hourglass.query.where.json.RandomJson;
import hourglass.seed.Seed;
import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of bytes must never stop a match. */
class NeededBytesTest {
  private static final int EXPRESSIONS = 500;
  private static final int PAYLOADS = 60;

  @Test
  void neverStopsAMatch() {
    Random random = Seed.random(this);
    RandomJson json = new RandomJson(random);
    RandomWhere wheres = new RandomWhere(random);
    int matched = 0;
    int stopped = 0;
    for (int n = 0; n < EXPRESSIONS; n++) {
      String expression = wheres.expression();
      Where where = Where.compile(expression);
      List<String> payloads = Stream.generate(json::payload).limit(PAYLOADS).toList();
      Columns columns = Payloads.of(payloads);
      for (int i = 0; i < PAYLOADS; i++) {
        boolean matches = where.evaluate(columns, i, "a", () -> false);
        matched += matches ? 1 : 0;
        stopped += where.mayMatch(columns, i) ? 0 : 1;
        assertThat(where.matches(columns, i, "a", () -> false))
            .as("%s of %s", expression, payloads.get(i))
            .isEqualTo(matches);
      }
    }
    assertThat(matched).isBetween(EXPRESSIONS, EXPRESSIONS * PAYLOADS / 2);
    assertThat(stopped).isGreaterThan(EXPRESSIONS * PAYLOADS / 4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "data.a == 'x'                         ; {\"a\":\"y\"}         ; false",
        "data.a == 'x'                         ; {\"b\":\"x\"}         ; false",
        "data.a == 'x'                         ; {\"b\":\"a\",\"c\":\"x\"} ; true",
        "data.a == 'x'                         ; {\"\\u0061\":\"x\"}   ; true",
        "data.a >= 5                           ; {\"b\":7}             ; false",
        "data.a >= 5                           ; {\"a\":1}             ; true",
        "!(data.a >= 5)                        ; {\"b\":7}             ; false",
        "data.a.startsWith('/api')             ; {\"a\":\"/v1/api\"}   ; false",
        "data.a.endsWith('/api')               ; {\"a\":\"/api/v1\"}   ; false",
        "data.a.contains('/api')               ; {\"a\":\"/v1/api/x\"} ; true",
        "data.a in ['x', 'y']                  ; {\"a\":\"z\"}         ; false",
        "data.a in ['x', 5]                    ; {\"a\":\"z\"}         ; true",
        "'x' in data.a                         ; {\"a\":[\"z\"]}       ; false",
        "data.a == true                        ; {\"a\":false}         ; false",
        "data.a == null                        ; {\"a\":0}             ; false",
        "data.a == 'x' || data.a == 'y'        ; {\"a\":\"z\"}         ; false",
        "data.a == 'x' || data.b > 1           ; {\"b\":0}             ; true",
        "data.a == 'x' || type == 'b'          ; {\"a\":\"z\"}         ; true",
        "type == 'x'                           ; {}                    ; true",
        "has(data.a)                           ; {\"b\":1}             ; false",
        "!has(data.a)                          ; {\"b\":1}             ; true",
        "data.a.exists(x, x == 'y')            ; {\"b\":[]}            ; false",
        "data.a.exists(x, x == 'y')            ; {\"a\":[]}            ; true",
        "data['a'].b == 1                      ; {\"a\":1}             ; false",
      })
  void stopsWhatCannotMatch(String where, String payload, boolean passes) {
    assertThat(Where.compile(where).mayMatch(Payloads.of(List.of(payload)), 0)).isEqualTo(passes);
  }

  @Test
  void aBackslashIsFoundWhereverItIs() {
    for (int length = 0; length < 40; length++) {
      for (int at = 0; at < length; at++) {
        byte[] bytes = "é".repeat(20).getBytes(StandardCharsets.ISO_8859_1);
        bytes = Arrays.copyOf(bytes, 40);
        bytes[at] = '\\';
        assertThat(Backslashes.areIn(bytes, 0, length)).isTrue();
        assertThat(Backslashes.areIn(bytes, 0, at)).isFalse();
        assertThat(Backslashes.areIn(bytes, at + 1, 40)).isFalse();
      }
    }
  }
}
