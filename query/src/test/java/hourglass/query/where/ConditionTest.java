package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bytes.JsonNumber;
import hourglass.bytes.Spans;
import hourglass.query.filter.FilterChecks;
import hourglass.query.filter.Outcomes;
import hourglass.query.filter.RequiredTexts;
import hourglass.query.where.json.RandomJson;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.TextFilter;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A condition must never differ from the library. */
class ConditionTest {
  private static final int EXPRESSIONS = Tier.length(400, 1_000, 20_000);
  private static final int PAYLOADS = 40;

  @Test
  void conditionsAgreeWithTheLibrary() {
    Random random = Seed.random(this);
    RandomJson json = new RandomJson(random);
    RandomWhere wheres = new RandomWhere(random);
    int sure = 0;
    int required = 0;
    for (int n = 0; n < EXPRESSIONS; n++) {
      String expression = wheres.expression();
      Where where = Where.compile(expression);
      CelOracle oracle = CelOracle.of(expression);
      List<String> payloads = Stream.generate(json::payload).limit(PAYLOADS).toList();
      Columns columns = Payloads.of(payloads);
      for (int i = 0; i < PAYLOADS; i++) {
        int real = oracle.outcome(columns, i, "a");
        int possible = where.outcomes(columns, i, "a");
        assertThat(possible & real)
            .as("%s of %s: %s is among %s", expression, payloads.get(i), real, possible)
            .isEqualTo(real);
        sure += Integer.bitCount(possible) == 1 ? 1 : 0;
        assertThat(where.matches(columns, i, "a", () -> false))
            .as("%s of %s", expression, payloads.get(i))
            .isEqualTo(real == Outcomes.TRUE);
        for (FieldFilter fields : filters(where)) {
          required += FilterChecks.check(fields, expression, columns, i, real == Outcomes.TRUE);
          assertThat(real != Outcomes.TRUE || areNumbers(fields, columns.payload(i)))
              .as("%s of %s", expression, payloads.get(i))
              .isTrue();
        }
      }
    }
    assertThat(sure).isGreaterThan(EXPRESSIONS * PAYLOADS / 4);
    assertThat(required).isPositive();
  }

  /** In a payload, no number equals a text that is spelled otherwise, as one in a list does. */
  @ParameterizedTest
  @ValueSource(strings = {"1.50", "500", "-.5", "5e2", "=>", "\"", "null", "1.5*", "50"})
  void payloadsWithWordsHaveTheTextsOfTheirFilters(String words) {
    String expression = "data.hasWords('" + words + "')";
    Where where = Where.compile(expression);
    CelOracle oracle = CelOracle.of(expression);
    List<String> payloads =
        List.of(
            "{\"a\":[1.5,500]}",
            "{\"a\":1.50}",
            "{\"a\":[\"1.50\",5e2]}",
            "{\"a\":-0.5,\"b\":\"a -.5 b\"}",
            "{\"a\":\"x => \\\" y\",\"b\":null}",
            "{\"a\":\"x =\\u003e \\u0022 n\\u0075ll 5\\u00300\"}");
    Columns columns = Payloads.of(payloads);
    int matching = 0;
    for (int i = 0; i < payloads.size(); i++) {
      boolean matches = oracle.outcome(columns, i, "a") == Outcomes.TRUE;
      matching += matches ? 1 : 0;
      for (FieldFilter fields : filters(where)) {
        FilterChecks.check(fields, expression, columns, i, matches);
      }
    }
    assertThat(matching).isBetween(1, payloads.size() - 1);
  }

  /** Returns the filters of a store for events of any type, and of the type of these. */
  private static List<FieldFilter> filters(Where where) {
    RequiredTexts required = where.required();
    return Stream.of(
            where.fields(null, List.of(), List.of()),
            where.fields("a", List.of(), List.of()),
            new TextFilter(List.of(), required.texts(), required.words()))
        .filter(Objects::nonNull)
        .toList();
  }

  /** In a matching event, each field with bounds has a number, since no other value compares. */
  private static boolean areNumbers(FieldFilter fields, byte[] payload) {
    Spans places = fields.find(payload, 0, payload.length);
    for (int n = 0; places != null && n < places.size(); n++) {
      boolean isBounded =
          !Double.isInfinite(fields.least(n)) || !Double.isInfinite(fields.greatest(n));
      boolean isNumber = places.has(n) && JsonNumber.begins(payload[places.start(n)]);
      if (isBounded && !isNumber) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "data.a == 5                            ; [[a:5]]",
        "data.a == 5.0                          ; [[a:5]]",
        "data.b.a == 0.25 && data.x > 1         ; [[a:0.25, b.a:0.25]]",
        "data['b'].a == 'x' && data['b.a'] == 1 ; [[a:x], [b.a:1]]",
        "data.a.b['c'] == 1                     ; [[c:1]]",
        "data.a.b.c in [1, 'x']                 ; [[c:1, b.c:1, a.b.c:1, c:x, b.c:x, a.b.c:x]]",
        "data['\uFFFD'].a == 1                  ; [[a:1]]",
        "data.a.`b` == 1 && data[''] == 1       ; [[b:1, a.b:1]]",
        "data.a == \"x\" && data.b == 1           ; [[a:x], [b:1]]",
        "data.a in [1, \"y\"] && data.b == 1      ; [[a:1, a:y], [b:1]]",
        "(data.a == 1 && data.b in [2, 3]) || data.c == 4 ; [[a:1, c:4]]",
        "data.a == 1 || data.b > 4              ; []",
        "data.a != 1 && !(data.b == 1)          ; []",
        "data.a == true                         ; []",
        "data.a == \"\uFFFD\"                    ; []",
        "data.a == 0.1234567890123456           ; []",
        "data == 1                              ; []",
        "data.a == 1 && false                   ; [[], [a:1]]",
      })
  void conditionsListRequiredValues(String where, String expected) {
    List<List<String>> required =
        Where.compile(where).fields(null, List.of(), List.of()).required().stream()
            .map(
                oneOf ->
                    oneOf.stream()
                        .map(v -> v.key() + ":" + (v.text() == null ? v.number() : v.text()))
                        .toList())
            .toList();
    assertThat(required).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "data.m.contains(\"refused\")                        ; [[refused, \\u]]; []",
        "data.m.startsWith(\"x/y z\")                        ; [[x/y z, \\], [y z, \\u], [x, \\u]]; []",
        "data.a == 1 && data.m.endsWith(\"by\")               ; [[by, \\u]]; []",
        "data.a == 1 || data.m.endsWith(\"by\")               ; []; []",
        "data.m.contains(\"a\") || data.n.contains(\"bc\")     ; [[a, \\u, bc]]; []",
        "!data.m.contains(\"refused\")                       ; []; []",
        "data.a == 1 ? data.m.contains(\"x\") : false         ; []; []",
        "data.m.matches(\"x+ (refused|reset)\")              ; [[x, \\u], [ , \\u], [refused, \\u, reset]]; []",
        "data.m.contains(\"a\") || data.m.matches(\"other (x|refused)\") ; [[a, \\u, other ]]; []",
        "data.m.contains(data.n)                             ; []; []",
        "string(data.a).contains(\"5\")                      ; []; []",
        "type.contains(\"refused\")                          ; []; []",
        "data.m.contains(\"\")                               ; []; []",
        "data.hasWords(\"Time out*\")                        ; [[time, \\u]]; [[time], [out*]]",
        "data.m.hasWords(\"dead*\") && data.a > 1            ; [[dead, \\u]]; [[dead*]]",
        "data.hasWords(\"up\") || data.hasWords(\"down\")     ; [[up, \\u, down]]; [[up, down]]",
        "data.m.hasWords(\"500\")                            ; []; []",
        "data.m.hasWords(\"-.5 a\")                          ; []; []",
        "data.hasWords(\"500\")                              ; [[500, \\u]]; [[500]]",
      })
  void conditionsListRequiredTextsAndWords(String where, String texts, String words) {
    RequiredTexts required = Where.compile(where).required();
    assertThat(required.texts()).hasToString(texts);
    List<List<String>> found =
        required.words().stream()
            .map(any -> any.stream().map(w -> w.text() + (w.mayGoOn() ? "*" : "")).toList())
            .toList();
    assertThat(found).hasToString(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "data.a >= 5                          ; {\"a\":5}                    ; T",
        "data.a >= 5                          ; {\"b\":{\"a\":9},\"a\":4}    ; F",
        "data.a >= 5                          ; {\"a\":-12345678901234567}   ; F",
        "data.a >= 5                          ; {\"a\":1234567890123456789}  ; T",
        "data.a >= 5                          ; {\"a\":5.0}                  ; T",
        "data.a >= 5                          ; {\"a\":4.99}                 ; F",
        "data.a >= 5                          ; {\"a\":5e0}                  ; T",
        "data.a >= 5.5                        ; {\"a\":5}                    ; F",
        "data.a == 0                          ; {\"a\":-0.0}                 ; T",
        "data.a == 9007199254740993.0         ; {\"a\":9007199254740993}     ; F",
        "data.a == 0.1                        ; {\"a\":0.1000000000000000055} ; T",
        "data.a > 5                           ; {\"a\":1e400}                ; TFE",
        "data.a > 5                           ; {\"a\":6.}                   ; T",
        "data.a > 5                           ; {\"a\":6.e}                  ; TFE",
        "1.0 / data.a > 0.0                   ; {\"a\":-0.0}                 ; TFE",
        "data.a >= 5                          ; {\"a\":\"5\"}                ; E",
        "data.a == 5                          ; {\"a\":\"5\"}                ; F",
        "data.a != 5                          ; {\"a\":null}                 ; T",
        "data.a >= 5                          ; {\"b\":5}                    ; E",
        "!(data.a >= 5)                       ; {\"b\":5}                    ; E",
        "data.a == 'x'                        ; {\"a\":\"x\"}                ; T",
        "data.a == 'x'                        ; {\"a\":\"\\u0078\"}          ; TF",
        "data.a == 'x'                        ; {\"\\u0061\":\"y\",\"a\":\"x\"} ; TFE",
        "data.a == 'x'                        ; {\"a\":\"x\",\"a\":\"y\"}    ; TFE",
        "data.a == 'x'                        ; {\"b\":\"\\n\",\"a\":\"y\"}  ; F",
        "data.a.b == 'x'                      ; {\"a\":{\"b\":\"x\"}}        ; T",
        "data.a.b == 'x'                      ; {\"a\":[1]}                  ; E",
        "data.a.b == 'x'                      ; {\"a.b\":\"x\"}              ; T",
        "data.a.b == 'x'                      ; {\"a\":{\"b\":1},\"a.b\":\"x\"} ; TFE",
        "data.a.b == 'x'                      ; {\"a\":1,\"a.b\":\"x\"}      ; TFE",
        "data.a.b == 'x' && data.a.c == 1     ; {\"a.b\":\"x\",\"a.c\":1}    ; T",
        "data.a.b.c == 1                      ; {\"a\":{\"b.c\":1},\"x\":2}  ; T",
        "data.a.b.c == 1                      ; {\"a\":{\"b.c\":1},\"a.b\":0} ; TFE",
        "data.a.b == 1 && data['a.b'] == 1    ; {\"a.b\":1}                ; TFE",
        "data['a'].b == 'x'                   ; {\"a.b\":\"x\"}              ; E",
        "has(data.a.b)                        ; {\"a.b\":1}                ; T",
        "has(data.a.b)                        ; {\"a.c\":1}                ; E",
        "data['a.b'] == 'x'                   ; {\"a\":{\"b\":1},\"a.b\":\"x\"} ; T",
        "data.a < 'b'                         ; {\"a\":\"ab\"}               ; T",
        "data.a < 'é'                         ; {\"a\":\"ê\"}                ; F",
        "data.a > '\uff5e'                         ; {\"a\":\"😀\"}               ; T",
        "data.a.startsWith('/a')              ; {\"a\":\"/ab\"}              ; T",
        "data.a.endsWith('/a')                ; {\"a\":\"/ab\"}              ; F",
        "data.a.contains('')                  ; {\"a\":\"\"}                 ; T",
        "data.a.contains('b')                 ; {\"a\":[\"b\"]}              ; E",
        "data.a.matches('^[a-c]+$')           ; {\"a\":\"abc\"}              ; T",
        "data.a in ['x', 5, null]             ; {\"a\":null}                 ; T",
        "data.a in ['x', 5, null]             ; {\"a\":6}                    ; F",
        "data.a in ['x', 5, null]             ; {}                           ; E",
        "'x' in data.a                        ; {\"a\":[]}                   ; TFE",
        "data.ok                              ; {\"ok\":true}                ; T",
        "!data.ok                             ; {\"ok\":1}                   ; E",
        "has(data.a)                          ; {\"a\":null}                 ; T",
        "has(data.a)                          ; {\"b\":1}                    ; F",
        "has(data.a.b)                        ; {\"b\":1}                    ; E",
        "has(data.a.b)                        ; {\"a\":{}}                   ; F",
        "data.a == 1 && data.b == 1           ; {\"b\":2}                    ; F",
        "data.a == 1 || data.b == 1           ; {\"b\":2}                    ; E",
        "data.a == 1 || data.b == 1           ; {\"b\":1}                    ; T",
        "data.a > 1 ? data.b == 1 : data.c    ; {\"a\":1,\"c\":true}         ; T",
        "data.a * 2.0 > 5.0                   ; {\"a\":2.6}                  ; T",
        "data.a * 2.0 > 5                     ; {\"a\":2.5}                  ; F",
        "data.a * 2.0 > 5.0                   ; {\"a\":3}                    ; E",
        "data.a * 2 > 5                       ; {\"a\":3}                    ; T",
        "data.a * 2 > 5                       ; {\"a\":3e0}                  ; E",
        "data.a * 2 > 5                       ; {\"a\":123456789012345678}   ; T",
        "data.a * 100 > 5                     ; {\"a\":123456789012345678}   ; TFE",
        "double(data.a) * 2.0 > 5.0           ; {\"a\":3}                    ; T",
        "double(data.a) * 2.0 > 5.0           ; {\"a\":\"3\"}                ; TFE",
        "data.a / data.b == 3                 ; {\"a\":7,\"b\":2}            ; T",
        "data.a / data.b == 3                 ; {\"a\":7,\"b\":0}            ; TFE",
        "data.a % 10 == 7                     ; {\"a\":-3}                   ; F",
        "data.a % 10 == 7                     ; {\"a\":7.0}                  ; E",
        "data.a + data.b > 5                  ; {\"a\":\"x\",\"b\":\"y\"}    ; TFE",
        "data.a + data.b > 5                  ; {\"a\":\"x\",\"b\":1}        ; E",
        "data.a - data.b > 5                  ; {\"a\":\"x\",\"b\":\"y\"}    ; E",
        "data.a - data.b > 5                  ; {\"a\":9}                    ; E",
        "data.a > data.b                      ; {\"a\":2,\"b\":1.5}          ; T",
        "data.a > data.b                      ; {\"a\":2,\"b\":\"1\"}        ; E",
        "data.a == data.b                     ; {\"a\":2,\"b\":\"2\"}        ; F",
        "data.a == data.b                     ; {\"a\":\"x\",\"b\":\"x\"}    ; TFE",
        "data.a + 9007199254740992 > 1.5      ; {\"a\":1}                    ; T",
        "size(data.a) > 1                     ; {}                           ; E",
        "size(data.a) > 1 && data.b == 1      ; {\"b\":1}                    ; E",
        "size(data.a) > 1 && data.b == 1      ; {\"a\":[],\"b\":2}           ; F",
        "data.a.exists(x, x.y > 1)            ; {\"b\":1}                    ; E",
        "type == 'checkout'                   ; nonsense                     ; T",
        "type in ['view', 'ship']             ; {}                           ; F",
        "time >= timestamp('2026-11-20T08:00:00Z') ; {}                      ; T",
        "time == timestamp('2026-11-20T08:00:00.00003315Z') ; {}             ; F",
        "data.a == 1                          ; {\"a\":1                     ; TFE",
        "data.a == 1                          ; [{\"a\":1}]                  ; E",
        "data == 7                            ; 7                            ; T",
      })
  void conditionsHaveTheExpectedOutcomes(String where, String payload, String expected) {
    int possible = Where.compile(where).outcomes(Payloads.of(List.of(payload)), 0, "checkout");
    assertThat(shown(possible)).isEqualTo(expected);
  }

  private static String shown(int outcomes) {
    return ((outcomes & Outcomes.TRUE) != 0 ? "T" : "")
        + ((outcomes & Outcomes.FALSE) != 0 ? "F" : "")
        + ((outcomes & Outcomes.ERROR) != 0 ? "E" : "");
  }

  /** The outcomes of two sets must be those of each pair. */
  @Test
  void setsOfOutcomesCombineTheirMembers() {
    for (int a = 1; a <= Outcomes.ANY; a++) {
      for (int b = 1; b <= Outcomes.ANY; b++) {
        int and = 0;
        int or = 0;
        for (int x : new int[] {Outcomes.TRUE, Outcomes.FALSE, Outcomes.ERROR}) {
          for (int y : new int[] {Outcomes.TRUE, Outcomes.FALSE, Outcomes.ERROR}) {
            boolean both = (a & x) != 0 && (b & y) != 0;
            and |= both ? oneAnd(x, y) : 0;
            or |= both ? Outcomes.not(oneAnd(Outcomes.not(x), Outcomes.not(y))) : 0;
          }
        }
        assertThat(Outcomes.and(a, b)).as("%s && %s", a, b).isEqualTo(and);
        assertThat(Outcomes.or(a, b)).as("%s || %s", a, b).isEqualTo(or);
      }
    }
  }

  private static int oneAnd(int a, int b) {
    if (a == Outcomes.FALSE || b == Outcomes.FALSE) {
      return Outcomes.FALSE;
    }
    return a == Outcomes.TRUE && b == Outcomes.TRUE ? Outcomes.TRUE : Outcomes.ERROR;
  }
}
