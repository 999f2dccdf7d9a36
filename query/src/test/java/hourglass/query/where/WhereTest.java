package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhereTest {
  private static final String EVENT =
      """
      {"path":"/api/cart", "status" : 503, "ms":1.5, "ok":true, "user":null, "text":"5",
       "big":18446744073709551615, "long":9223372036854775807, "neg":-0, "exp":5e2, "x-y":1,
       "tags":["a","b",3], "items":[{"price":5},{"price":150,"name":"é"}], "deep":{"er":{"n":7}},
       "esc\\u0061ped\\"":"t\\u00e9\\n\\uD83D\\uDE00", "tw":1, "tw":2, "bad":"(", "é":"ü", "empty":{}, "none":[]}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "data.status >= 500 && data.path.startsWith('/api')    ; true",
        "data.status == 503                                    ; true",
        "data.status == 503.0                                  ; true",
        "data.status > 502.5                                   ; true",
        "data.ms < 2                                           ; true",
        "data.exp == 500                                       ; true",
        "data.neg == 0                                         ; true",
        "data.long == 9223372036854775807                      ; true",
        "data.big > data.long                                  ; true",
        "data.big == 18446744073709551616.0                    ; true",
        "data.ok                                               ; true",
        "data.ok == true                                       ; true",
        "data.user == null                                     ; true",
        "has(data.user)                                        ; true",
        "data['x-y'] == 1                                      ; true",
        "data['ms'] > 1 && 1u < data['ms'] && data['status'] > 502.5 ; true",
        "data['deep']['er']['n'] > 6.5 && {'a': data.ms}['a'] > 1 ; true",
        "data.tags[1] == 'b'                                   ; true",
        "3 in data.tags                                        ; true",
        "'c' in data.tags                                      ; false",
        "'path' in data                                        ; true",
        "size(data.tags) == 3 && size(data.none) == 0          ; true",
        "data.items.exists(i, i.price > 100)                   ; true",
        "data.items.all(i, i.price > 100)                      ; false",
        "data.items.filter(i, has(i.name))[0].name == 'é'      ; true",
        "data.items.map(i, i.price) == [5, 150]                ; true",
        "data.deep.er.n == 7                                   ; true",
        "data.deep == {'er': {'n': 7}}                         ; true",
        "data['escaped\"'] == 'té\\n\\U0001F600'               ; true",
        "data.tw == 2                                          ; true",
        "data.tw == 1                                          ; false",
        "data['é'] == 'ü'                                      ; true",
        "size(data.empty) == 0                                 ; true",
        "data.path.matches('^/api/[a-z]+$')                    ; true",
        "data.path.matches('^(/[a-z]{1,9}){2,}$')              ; true",
        "!data.path.matches('[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}') ; true",
        "type == 'checkout'                                    ; true",
        "type(data) == map && type(data.path) != map           ; true",
        "type(data.status) == int && type(data.ms) == double   ; true",
        "time == timestamp('2026-11-20T08:00:00.000033101Z')   ; false",
        "time == timestamp('2026-11-20T08:00:00.000033200Z')   ; true",
        "time.getHours() == 8 && time < timestamp('2026-11-21T00:00:00Z') ; true",
        "id.startsWith('5')                                    ; false",
        "id.size() == 36                                       ; true",
        "time.getHours('Europe/Berlin') == 9                   ; true",
        "data.ms * 2.0 == 3.0 && double(data.status) / 2.0 > 0 ; true",
        "data.status * 2.0 > 0                                 ; false",
        "data.path + '!' == '/api/cart!' && bytes(data.path) + b'!' == b'/api/cart!' ; true",
        "data.tags + [1] == ['a', 'b', 3, 1] && data.status + 1 == 504 ; true",
        "time + duration('1s') > time && bytes(b'a') == b'a'   ; true",
        "data.status + data.status == 1006 && data.ms + data.ms == 3.0 ; true",
        "data.path + data.path == '/api/cart/api/cart' && data.tags + data.tags == data.tags + data.tags ; true",
        "data.status + data.path == 1                          ; false",
        "bytes(data.path) == b'/api/cart' && data.path.matches(data.path) ; true",
        "data.path.matches('/api') && matches(data.path, '^/api') ; true",
        "'\\uFF5E' < '\\U0001F600' && !('\\U0001F600' <= '\\uFF5E') ; true",
        "b'\\x7f' < b'\\xff' && '\\u007f' < '\\u00ff'  ; true",
        "true                                                  ; true",
        "false                                                 ; false",
        // Absent, or of another kind: no match.
        "data.absent == 1                                      ; false",
        "data.absent != 1                                      ; false",
        "!(data.absent == 1)                                   ; false",
        "data.absent                                           ; false",
        "!data.absent                                          ; false",
        "data.absent.more == 1                                 ; false",
        "data.path.more == 1                                   ; false",
        "has(data.absent)                                      ; false",
        "!has(data.absent)                                     ; true",
        "has(data.absent.more)                                 ; false",
        "!has(data.absent.more)                                ; false",
        "data.absent == 1 || data.status == 503                ; true",
        "data.status == 503 || data.absent == 1                ; true",
        "data.absent == 1 && data.status == 503                ; false",
        "!(data.absent == 1 && data.status == 1)               ; true",
        "has(data.absent) && data.absent == 1                  ; false",
        "!has(data.absent) || data.absent == 1                 ; true",
        "data.path > 5                                         ; false",
        "!(data.path > 5)                                      ; false",
        "data.user > 5                                         ; false",
        "data.text == 5                                        ; false",
        "data.text != 5                                        ; true",
        "int(data.text) == 5                                   ; true",
        "int(data.path) == 5                                   ; false",
        "data.status                                           ; false",
        "data.status.startsWith('5')                           ; false",
        "data.tags[3] == 'b'                                   ; false",
        "data.status / 0 == 1                                  ; false",
        "data.long + 1 > 0                                     ; false",
        "data.text.matches(data.bad)                           ; false",
      })
  void expressionsSelectEvents(String where, boolean expected) {
    assertThat(Payloads.matches(where, EVENT)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "data == 5            ; 5          ; true",
        "data == 'x'          ; \"x\"      ; true",
        "data[0] == 1         ; [1]        ; true",
        "data.a == 1          ; [1]        ; false",
        "data.a == 1          ; {}         ; false",
        "data.a == 1          ; {\"a\":1   ; false",
        "data.a == 'x'        ; {\"a\":\"x ; false",
        "data.a == 1          ; nonsense   ; false",
        "true || data.a       ; {\"a       ; true",
      })
  void payloadsMayBeAnyJson(String where, String payload, boolean expected) {
    assertThat(Payloads.matches(where, payload)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "data.a ==               ; column 10: mismatched input '<EOF>' expecting",
        "data.a = 1              ; column 8: token recognition error at: '= '",
        "data.a == 1 and true    ; column 13: mismatched input 'and' expecting",
        "datta.x > 1             ; column 1: there is no datta; want data, type, time, id",
        "data.a.foo()            ; column 11: there is no foo; want data, type, time, id, detected_level or",
        "'é😀' == data.a && x    ; column 19: there is no x; want",
        "status == 500 ; column 1: there is no status; want data, type, time, id, detected_level or a function of CEL;"
            + " a field is data.status",
        "data.user-agent == 'x'  ; column 11: there is no agent; want data[\"user-agent\"]",
        "data.a.b-c-d == 'x'     ; column 10: there is no c; want data.a[\"b-c-d\"]",
        "data.n == 99999999999999999999 ; column 11: a number out of the range of 64 bits; write it"
            + " with a decimal point",
        "data.n == 99999999999999999999u ; column 11: a number out of the range of 64 bits",
        "data.`ünï` == 1         ; column 6: not a name, also in backticks: want ASCII; write other"
            + " names as data[\"ünï\"]",
        "data.ünï == 1           ; column 6: not a name",
        "1 + 1                   ; column 3: expected type 'bool' but found 'int'",
        "type > 5                ; column 6: found no matching overload for '_>_' applied to"
            + " '(string, int)'",
        "size()                  ; column 5: found no matching overload for 'size'",
        "data.a.matches('(')     ; column 16: \"(\" is no regular expression: missing closing )",
        "data.a.matches('a{1000}') ; column 16: \"a{1000}\" is a regular expression of",
        "data.a.matches('(((x{100}){100}){100}){100}') ; column 16: \"(((x{100}){100}){100}){100}\""
            + " is a regular expression that repeats its parts",
        "data.l.exists(x, x.matches('[')) ; column 28: \"[\" is no regular expression:",
        "time > timestamp('2026-11-20') ; column 18: \"2026-11-20\" is no time, want one such as",
        "duration('1 day') < duration(data.a) ; column 10: \"1 day\" is no duration, want one",
      })
  void errorsNameTheirColumn(String where, String message) {
    assertThatThrownBy(() -> Where.compile(where))
        .isInstanceOf(WhereException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void errorsOfSeveralLinesNameTheLine() {
    assertThatThrownBy(() -> Where.compile("data.a == 1 &&\n  b"))
        .hasMessageStartingWith("line 2, column 3: there is no b");
  }

  @Test
  void expressionsAreBounded() {
    refused("data.a == '" + "x".repeat(4096) + "'", "4108 characters, want at most 4096");
    refused("(".repeat(40) + "true" + ")".repeat(40), "column 1: Expression recursion limit");
    refused("true" + " && true".repeat(400), "");
    refused("data" + ".a".repeat(1000), "");
    assertThat(Payloads.matches("data" + ".a".repeat(20) + " == 1", "{}")).isFalse();
  }

  /** One quoted name may have any number of levels, each of which is a key for all above. */
  @Test
  void namesAreBounded() {
    String longest = "a.".repeat(59) + "b".repeat(138);
    assertThat(Payloads.matches("data.`" + longest + "` == 1", "{\"" + longest + "\":1}")).isTrue();
    assertThat(Payloads.matches("dyn(data.`" + longest + "`) == 1", "{\"" + longest + "\":1}"))
        .isTrue();
    String refusal = "a field name of 257 characters, want at most 256";
    for (String name :
        List.of("data.`" + longest + "c`", "data.a.`" + longest.substring(1) + "`")) {
      assertThatThrownBy(() -> Where.compile(name + " == 1")).hasMessageContaining(refusal);
      assertThatThrownBy(() -> Where.compile("has(" + name + ")")).hasMessageContaining(refusal);
    }
    assertThatThrownBy(() -> Where.compile("data.`" + "a.".repeat(2_000) + "a` == 1"))
        .hasMessageContaining("a field name of 4001 characters");
    refused(
        "data.`" + longest + "` == 1 || data.`c." + longest.substring(2) + "` == 1",
        "its fields may be 3660 keys of a payload, want at most 2048");
    refused("has(data.`" + "a.".repeat(64) + "a`)", "its fields may be ");
  }

  private static void refused(String where, String message) {
    assertThatThrownBy(() -> Where.compile(where))
        .isInstanceOf(WhereException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "data.l.all(a, a == 1)                              ; true",
        "data.l.all(a, data.l.all(b, a == b))               ; too many",
        "!data.l.all(a, data.l.all(b, a == b))              ; too many",
        // An error of another kind must not hide it.
        "data.l.all(a, data.l.all(b, a == b)) || data.x > 1 ; too many",
        "data.x > 1 || data.l.all(a, data.l.all(b, a == b)) ; too many",
        "data.l.exists(a, data.l.exists(b, b > a || a.x))   ; too many",
        "size(data.l.map(a, data.l.map(b, a))) > 0 // both  ; too many",
        // It has an answer nevertheless.
        "data.l.all(a, data.l.all(b, a == b)) || size(data.l) > 5   ; true",
        "data.l.all(a, data.l.all(b, a == b)) && size(data.l) > 500 ; false",
        "size(data.l) < 100 && data.l.all(a, data.l.all(b, a == b)) ; false",
      })
  void stepsAreBounded(String where, String expected) {
    String event = "{\"l\":[" + "1,".repeat(199) + "1]}";
    if (expected.equals("too many")) {
      assertThatThrownBy(() -> Payloads.matches(where, event))
          .isInstanceOf(WhereException.class)
          .hasMessageMatching(
              "for event [-0-9a-f]{36} it takes more than 10000 steps of all, exists.*"
                  + "size\\(data.list\\) <= 100 && .*");
    } else {
      assertThat(Payloads.matches(where, event)).isEqualTo(Boolean.valueOf(expected));
    }
  }

  @Test
  void textsAndListsMadeByExpressionsAreBounded() {
    tooMuch("['x']" + ".map(a, a + a)".repeat(22) + "[0] == 'y'");
    tooMuch("[[1]]" + ".map(a, a + a)".repeat(22) + "[0] == [1]");
    tooMuch("data.l.map(a, bytes(data.text)).size() > 0");
    assertThat(Payloads.matches("data.l.map(a, bytes(data.half)).size() > 0", GROWING)).isTrue();
    tooMuch("data.l.map(a, string(bytes(data.half))).size() > 0");
    // The other side of an and must not hide it.
    tooMuch("['x']" + ".map(a, a + a)".repeat(22) + "[0] == 'y' && size(data.l) > 5000");
    String list = "data.l.map(a, a)";
    assertThat(Payloads.matches("size(" + list + " + " + list + ") == 2000", GROWING)).isTrue();
    refused(
        "[[1]].map(a, [a, a]).map(a, [a, a]).exists(a, a == a)",
        "column 10: makes lists or maps that stand 3 deep in one another, want at most 2");
    refused("data.l.map(a, data.l.map(b, data.l.map(c, c))) == []", "column 11: makes lists");
    refused("data.l.map(a, {'a': a}) == []", "column 15: makes a map in each step of a loop");
    refused("[[[1]]] == data.l", "column 1: makes lists");
    assertThat(Payloads.matches("data.l.map(a, [a, a]).exists(a, a == [1, 1])", GROWING)).isTrue();
  }

  private static final String GROWING =
      "{\"l\":["
          + "1,".repeat(999)
          + "1],\"text\":\""
          + "x".repeat(2000)
          + "\",\"half\":\""
          + "x".repeat(700)
          + "\"}";

  private static void tooMuch(String where) {
    assertThatThrownBy(() -> Payloads.matches(where, GROWING))
        .isInstanceOf(WhereException.class)
        .hasMessageMatching(
            "for event [-0-9a-f]{36} it makes texts or lists by \\+ or map of more than 1048576.*");
  }

  @Test
  void searchesOfWordsAreBounded() {
    String words =
        IntStream.range(0, 5_000).mapToObj(i -> "\"qa" + i + "\"").collect(Collectors.joining(","));
    String event = "{\"n\":[" + words + "],\"pad\":\"" + "x".repeat(20_000) + "\"}";
    assertThatThrownBy(() -> Payloads.matches("data.n.exists(x, data.hasWords(x + 'z'))", event))
        .isInstanceOf(WhereException.class)
        .hasMessageContaining("steps of text search");
    String numbers = "1,".repeat(999) + "1";
    String digits = "{\"l\":[" + numbers + "],\"s\":\"" + "1".repeat(200_000) + "\"}";
    assertThat(Payloads.matches("data.l.hasWords(data.s)", digits)).isFalse();
  }

  @Test
  void objectsInAListAreNotSearchedForWords() {
    assertThat(Payloads.matches("data.l.hasWords('{a=1}')", "{\"l\":[{\"a\":1}]}")).isFalse();
    assertThat(Payloads.matches("data.l.hasWords('{a=1}')", "{\"l\":[\"{a=1}\"]}")).isTrue();
    assertThat(Payloads.matches("[data].hasWords('b c')", "{\"a\":\"b c\"}")).isTrue();
  }

  @Test
  void partsOfNegativeDurationsAreRoundedTowardsZero() {
    assertThat(Payloads.matches("duration('-59.5s').getMinutes() == 0", "{}")).isTrue();
    assertThat(Payloads.matches("duration('-3599.5s').getHours() == 0", "{}")).isTrue();
    assertThat(Payloads.matches("duration('-61.5s').getMinutes() == -1", "{}")).isTrue();
    String hours = "{\"s\":\"" + "1h".repeat(600) + "\"}";
    assertThat(Payloads.matches("duration(data.s) > duration('1h')", hours)).isFalse();
  }

  @Test
  void longPathsToUnknownNamesAreRefusedAtOnce() {
    assertThatThrownBy(() -> Where.compile("data" + ".a".repeat(1_000) + "-b == 'x'"))
        .isInstanceOf(WhereException.class);
  }

  /** Each long loop would need too many steps, or too much text search. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "size(data.l) <= 100 ? data.l.all(x, x > 0) : data.m.all(x, x > 0)   ; true",
        "size(data.l) <= 100 ? data.l.exists(x, x < 0) : false               ; false",
        "data.l.all(x, x > 0) && data.status == 200                          ; false",
        "data.l.all(x, x > 0) || data.status == 500                          ; true",
        "data.l.all(x, x > 0) && data.user == 'x'                            ; false",
        "data.l.all(x, x > 0) && data.s.matches('^a')                        ; false",
        "data.l.exists(x, data.text.contains(string(x))) && data.status == 7 ; false",
      })
  void aCostlyPartIsLeftOutWhereTheOthersDecide(String where, boolean expected) {
    String list = "\"l\":[" + "1,".repeat(40_000) + "1],\"m\":[1],\"status\":500";
    String text = ",\"text\":\"" + "a".repeat(20_000) + "\"";
    for (String payload : List.of("{" + list + "}", "{" + list + text + "}")) {
      assertThat(Payloads.matches(where, payload)).as(where).isEqualTo(expected);
    }
    String shorter = "{\"l\":[" + "1,".repeat(10_001) + "1],\"m\":[1],\"status\":500}";
    assertThat(Payloads.matches(where, shorter)).as(where).isEqualTo(expected);
  }
}
