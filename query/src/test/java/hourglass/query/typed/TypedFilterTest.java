package hourglass.query.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hourglass.query.where.Outline;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TypedFilterTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '\0',
      value = {
        "status:500 § (data.status in [500, \"500\"] || data.status.hasWords(\"500\"))",
        "level:error § (data.level == \"error\" || data.level.hasWords(\"error\"))",
        "data.level:error § (data.level == \"error\" || data.level.hasWords(\"error\"))",
        "level:=error § data.level == \"error\"",
        "level:\"a b\" § (data.level == \"a b\" || data.level.hasWords(\"a b\"))",
        "level:'a b' § (data.level == \"a b\" || data.level.hasWords(\"a b\"))",
        "status:\"500\" § (data.status == \"500\" || data.status.hasWords(\"500\"))",
        "ok:true § (data.ok in [true, \"true\"] || data.ok.hasWords(\"true\"))",
        "status>500 § data.status > 500",
        "status >= 500 § data.status >= 500",
        "status:>500 § data.status > 500",
        "ms:<=2.5 § data.ms <= 2.5",
        "ms:250..500 § data.ms >= 250 && data.ms <= 500",
        "ms:250.. § data.ms >= 250",
        "ms:..500 § data.ms <= 500",
        "ms:[250 TO 500] § data.ms >= 250 && data.ms <= 500",
        "ms:{250 TO *] § data.ms > 250",
        "day>2026-11-20 § data.day > \"2026-11-20\"",
        "host:web-* § (data.host.startsWith(\"web-\") || data.host.hasWords(\"web-*\"))",
        "path:*.png § data.path.endsWith(\".png\")",
        "path:*cart* § data.path.contains(\"cart\")",
        "path:/a*z § data.path.matches(\"(?s)^/a.*z$\")",
        "status:5* § (string(data.status).startsWith(\"5\") || data.status.hasWords(\"5*\"))",
        "host=~\"web.*\" § data.host.matches(\"^(?:web.*)$\")",
        "host:~web § data.host.matches(\"web\")",
        "_exists_:status § has(data.status)",
        "status:* § has(data.status)",
        "-status:* § !has(data.status)",
        "_missing_:status § !has(data.status)",
        "-level:=x § (!has(data.level) || data.level != \"x\")",
        "level!=x § (!has(data.level) || (data.level != \"x\" && !data.level.hasWords(\"x\")))",
        "NOT ms>5 § (!has(data.ms) || (type(data.ms) != int && type(data.ms) != double || data.ms <= 5))",
        "detected_level:error § detected_level == \"error\"",
        "type:shop.* § type.startsWith(\"shop.\")",
        "-type:checkout § type != \"checkout\"",
        "time:>=2026-11-20T08:30Z § time >= timestamp(\"2026-11-20T08:30:00Z\")",
        "user-agent:=curl § data.`user-agent` == \"curl\"",
        "größe:=5 § data[\"größe\"] in [5, \"5\"]",
        "`odd name`:=x § data.`odd name` == \"x\"",
        "`a:b`:=x § data[\"a:b\"] == \"x\"",
        "-`a:b`:* § !(\"a:b\" in data)",
        "http.status:=x § data.http.status == \"x\"",
        "for:=x § data.`for` == \"x\"",
        "8a2f6c10-c5e5-11f0-9d3a-0242ac120002 § id == \"8a2f6c10-c5e5-11f0-9d3a-0242ac120002\"",
        "data.status >= 500 § data.status >= 500",
        "path.startsWith(\"/api\") § data.path.startsWith(\"/api\")",
        "status in [500, 503] § data.status in [500, 503]",
        "has(data.x) && y.contains(\"z\") § has(data.x) && data.y.contains(\"z\")",
        "type == \"x\" § type == \"x\"",
        "error OR warn § (data.hasWords(\"error\") || data.hasWords(\"warn\"))",
        "@timestamp:* § \"@timestamp\" in data",
        "_exists_:`a/b` § has(data.`a/b`)",
        "_exists_:@timestamp § \"@timestamp\" in data",
        "status not in (5, 6) § (!has(data.status) || (!(data.status in [5, \"5\", 6, \"6\"]) && !data.status.hasWords(\"5\") && !data.status.hasWords(\"6\")))",
        "a:(-5 OR -10) § (data.a in [-5, \"-5\", -10, \"-10\"] || data.a.hasWords(\"-5\") || data.a.hasWords(\"-10\"))",
        "a:=x\\*y § data.a == \"x*y\"",
        "m:=\"2*3\" § data.m == \"2*3\"",
        "m:\"a * b\" § (data.m == \"a * b\" || data.m.hasWords(\"a * b\"))",
        "path:\\\\srv § (data.path == \"\\\\srv\" || data.path.hasWords(\"\\\\srv\"))",
        "ms:=99999999999999999999 § data.ms in [99999999999999999999.0, \"99999999999999999999\"]",
        "time:2026-11-20Z..2026-11-21Z § time >= timestamp(\"2026-11-20T00:00:00Z\") && time < timestamp(\"2026-11-22T00:00:00Z\")",
        "host=(a OR b) § (data.host in [\"a\", \"b\"] || data.host.hasWords(\"a\") || data.host.hasWords(\"b\"))",
        "id:8A2F6C10-c5e5-11f0-9d3a-0242ac120002 § id == \"8a2f6c10-c5e5-11f0-9d3a-0242ac120002\"",
        "-8a2f6c10-c5e5-11f0-9d3a-0242ac120002 § id != \"8a2f6c10-c5e5-11f0-9d3a-0242ac120002\"",
        "data.a == 1 // a comment § data.a == 1 // a comment",
        "!data.ok || data.a > 1 § !data.ok || data.a > 1",
        "-healthcheck § !data.hasWords(\"healthcheck\")",
        "!debug § !data.hasWords(\"debug\")",
      })
  void readsConditions(String typed, String where) {
    TypedFilter filter = TypedFilter.of(typed);
    assertThat(filter.where()).isEqualTo(where);
    assertThat(filter.words()).isEmpty();
    assertThat(filter.types()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "level:(error OR warn)",
        "level:(error warn)",
        "level:(error, warn)",
        "level:in(error, warn)",
        "level in (error, warn)",
        "level:(error or warn)",
        "level:error OR level:warn",
        "level:error or level:warn",
        "level:error || level:warn",
        "(level:error OR level:warn)",
      })
  void readsOneOfSeveralValues(String typed) {
    assertThat(TypedFilter.of(typed).where())
        .isEqualTo(
            "(data.level in [\"error\", \"warn\"] || data.level.hasWords(\"error\")"
                + " || data.level.hasWords(\"warn\"))");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:=1 b:=2",
        "a:=1 AND b:=2",
        "a:=1 and b:=2",
        "a:=1 && b:=2",
        "+a:=1 +b:=2",
        "a:=1\n  b:=2",
        "(a:=1 b:=2)",
      })
  void joinsConditions(String typed) {
    assertThat(TypedFilter.of(typed).where())
        .isEqualTo("data.a in [1, \"1\"] && data.b in [2, \"2\"]");
  }

  @Test
  void notBeforeBracketsIsNotAFunction() {
    assertThat(TypedFilter.of("NOT (-(data.a>5000))").where())
        .isEqualTo(TypedFilter.of("NOT (-(a>5000))").where());
  }

  @Test
  void aNameThatBeginsWithDataIsAField() {
    assertThat(TypedFilter.of("data.c:5000").where())
        .isEqualTo("(data.c in [5000, \"5000\"] || data.c.hasWords(\"5000\"))");
    assertThat(TypedFilter.of("data.c:5000").words()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '\0',
      value = {
        "timeout § timeout",
        "dead* § dead*",
        "\"dead*\" § dead",
        "dead\\* § dead",
        "\"connection refused\" § connection refused",
        "10:30:00 § 10:30:00",
        "2026-11-20T10:30:00 § 2026-11-20T10:30:00",
        "http://web/a?b=1 § http://web/a?b=1",
        "a.b.C:12 § a.b.C:12",
        "main.go:12:3 § main.go:12:3",
        "std::vector § std::vector",
        "C:\\temp § C:\\temp",
        "a4:b1:c1:d1:e1:f1 § a4:b1:c1:d1:e1:f1",
        "fe80::1 § fe80::1",
        "192.168.0.1:8080 § 192.168.0.1:8080",
        "4bf92f3577b34da6a3ce929d0e0e4736 § 4bf92f3577b34da6a3ce929d0e0e4736",
        "0af76519-16cd-43dd-8448-eb211c80319c § 0af76519-16cd-43dd-8448-eb211c80319c",
        "\"status:500\" § status:500",
        "status\\:500 § status:500",
        "web-14 § web-14",
        "/health § /health",
        "Basket.add(Basket.java:12) § Basket.add(Basket.java:12)",
        "don't § don't",
        "“connection refused” § connection refused",
        "er\\*or § er*or",
        "\\/pay § /pay",
        "\"SELECT *\" § SELECT *",
        "a->b § a->b",
        "true § true",
        "-5 § -5",
      })
  void searchesForWords(String typed, String word) {
    if (typed.equals("-5")) {
      assertThat(TypedFilter.of(typed).where()).isEqualTo("!data.hasWords(\"5\")");
      return;
    }
    TypedFilter filter = TypedFilter.of(typed);
    assertThat(filter.words()).containsExactly(word);
    assertThat(filter.where()).isEmpty();
  }

  @Test
  void searchesForEachWordAlone() {
    TypedFilter filter = TypedFilter.of("payment failed and \"card declined\" status:>1");
    assertThat(filter.words()).containsExactly("payment", "failed", "and", "card declined");
    assertThat(filter.where()).isEqualTo("data.status > 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "*:*", "", "  ", "\"\"", "* AND *"})
  void selectsAllEvents(String typed) {
    TypedFilter filter = TypedFilter.of(typed);
    assertThat(filter.where()).isEmpty();
    assertThat(filter.words()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Exception in thread", "error in payment", "user in data"})
  void aSentenceIsSearchedForAsWords(String typed) {
    assertThat(TypedFilter.of(typed).words()).containsExactly(typed.split(" "));
  }

  @Test
  void aCommentEndsWithItsLine() {
    TypedFilter filter = TypedFilter.of("data.a == 1 // first\n&& data.b == 2");
    assertThat(filter.where()).isEqualTo("data.a == 1 // first\n&& data.b == 2");
    TypedFilter both = TypedFilter.of(filter.and(TypedFilter.of("c:=x")));
    assertThat(both.where()).isEqualTo("(" + filter.where() + "\n) && data.c == \"x\"");
    assertThat(both.fields()).hasSize(3);
  }

  @Test
  void anIdMayBeCombinedWithConditions() {
    String id = "8a2f6c10-c5e5-11f0-9d3a-0242ac120002";
    assertThat(TypedFilter.of(" " + id + " ").id()).hasToString(id);
    TypedFilter filter = TypedFilter.of(TypedFilter.of(id).and(TypedFilter.of("a:=x")));
    assertThat(filter.id()).isNull();
    assertThat(filter.where()).isEqualTo("id == \"" + id + "\" && data.a == \"x\"");
  }

  @Test
  void noBreakSpacesSeparateConditions() {
    assertThat(TypedFilter.of("a:=x\u00a0b:=y").where())
        .isEqualTo("data.a == \"x\" && data.b == \"y\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a", "a.", "a:", "\"", "a\"", "a.1", "x:\"", "(", "-", "a b ", "\\", "a:b:", "1..", "[",
        "  ", "\n "
      })
  void aLongTextIsReadOrRefused(String repeated) {
    String text = "x" + repeated.repeat(4_000 / repeated.length()) + " y: 5";
    assertThatThrownBy(() -> TypedFilter.of(text)).isInstanceOf(FilterException.class);
  }

  @Test
  void selectsTypes() {
    TypedFilter filter = TypedFilter.of("type:(checkout OR login) level:=error");
    assertThat(filter.types()).containsExactly("checkout", "login");
    assertThat(filter.where()).isEqualTo("data.level == \"error\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '\0',
      nullValues = "none",
      value = {
        "status: § 1 § a value is missing after this § \"status:\"",
        "status: 500 § 1 § no blank stands after the colon § status:500",
        "Error: connection refused § 1 § put it in quotes § \"Error: connection refused\"",
        "status> § 1 § a value is missing § \"status>\"",
        "dGVzdA== § 1 § put it in quotes § \"dGVzdA==\"",
        "\"open § 1 § this quote is not closed § \"open\"",
        "(a:1 § 1 § this parenthesis is not closed § (a:1)",
        "a:(1 OR 2 § 3 § this parenthesis is not closed § a:(1 OR 2)",
        "a:1) § 4 § this parenthesis closes nothing § none",
        "a:1 AND § 5 § something is missing § none",
        "OR a:1 § 1 § something is missing § none",
        "a:() § 3 § something is missing § none",
        "NOT § 1 § something is missing § none",
        "ms>500ms § 4 § \"500ms\" is no number; write it without unit § ms>500",
        "ms>1,000 § 4 § is no number § ms>1000",
        "version>abc § 9 § \"abc\" is no number; write version>\"abc\" § none",
        "@timestamp>now-15m § 12 § the range is chosen by from and to § none",
        "List<String> § 6 § put it in quotes § none",
        "a:1 == b § 5 § == reads like a part of a filter § a:1 \"==\" b",
        "error | stats count() § 7 § no stages after | § none",
        "{app=\"web\"} |= \"x\" § 1 § LogQL § none",
        "select * from events § 1 § SQL § none",
        "path LIKE '%cart%' § 1 § write path:*abc* § none",
        "ms BETWEEN 1 AND 2 § 1 § write ms:250..500 § none",
        "user IS NULL § 1 § write -user:* § none",
        "er*or § 1 § * stands at the end of a word § \"er*or\"",
        "time:>2026-11-20T08:30 § 7 § needs a zone § time:>2026-11-20T08:30Z",
        "time:>yesterday § 7 § is no time § none",
        "data.status = 500 and has(data.x) § 23 § reads like § data.status == 500 && has(data.x)",
        "data.path.startsWith(\"/a\" § 1 § reads like § data.path.startsWith(\"/a\")",
        "data.a > § 1 § a value is missing § \"data.a >\"",
        "host:~\"(\" § 1 § regular expression § none",
        ">500 § 1 § the name of a field stands before § \">500\"",
        "status : 500 § 8 § the name of a field stands § status \":\" 500",
        "level :error § 7 § the name of a field stands § level \":error\"",
        "100<ms<200 § 1 § the name of a field § \"100<ms<200\"",
        "ms:[1, 5] § 4 § a range is written § none",
        "ms:250...500 § 4 § a range has numbers alone § none",
        "ms:10ms..20ms § 4 § a range has numbers alone § none",
        "level:!error § 7 § write -level:... § none",
        "a===b § 4 § no value begins so § none",
        "host:\"a\"|\"b\" § 6 § a blank is missing after this quote § none",
        "\"user agent\":curl § 1 § in backticks § none",
        "{\"status\":500} § 1 § put it in quotes § \"{\\\"status\\\":500}\"",
        "a:1 AND OR b:2 § 9 § something is missing before this § none",
        "level: (error OR warn) § 1 § no blank stands after the colon § level:(error OR warn)",
        "has(status) § 1 § reads like § has(data.status)",
        "type>5 § 1 § compared with : alone § none",
      })
  void refusesTextsThatResembleAFilter(String typed, int column, String reason, String fix) {
    FilterException refused =
        catchThrowableOfType(FilterException.class, () -> TypedFilter.of(typed));
    assertThat(refused)
        .as("%s is read as %s", typed, refused == null ? TypedFilter.of(typed) : "")
        .isNotNull();
    assertThat(refused)
        .hasMessageStartingWith("q: \"" + typed + "\": column " + column + ": ")
        .hasMessageContaining(reason);
    assertThat(refused.fix()).isEqualTo(fix);
  }

  @Test
  void limitsItsDepthAndWords() {
    assertThatThrownBy(() -> TypedFilter.of("(".repeat(40) + "a"))
        .hasMessageContaining("more than 32 parentheses");
    assertThatThrownBy(() -> TypedFilter.of("a ".repeat(17)))
        .hasMessageContaining("more than 16 words");
    assertThatThrownBy(() -> TypedFilter.of("a".repeat(4_097)))
        .hasMessageContaining("4097 characters, want at most 4096");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '\0',
      value = {
        "level:error § status>500 § level:error status>500",
        "level:error § level:error § level:error",
        "a:1 OR b:2 § c:3 § (a:1 OR b:2) c:3",
        "a:1 § b:2 OR c:3 § a:1 (b:2 OR c:3)",
        "either or § level:=error § (either or) (level:=error)",
        "do not § level:=error § (do not) (level:=error)",
        "status § \">500\" § status \">500\"",
        "a:1 § * § a:1",
        "data.a == 1 § b:=x § data.a == 1 && data.b == \"x\"",
        "data.a == 1 || data.b == 2 § type:x § (data.a == 1 || data.b == 2) && type in [\"x\"]",
      })
  void joinsTwoFilters(String one, String other, String both) {
    String joined = TypedFilter.of(one).and(TypedFilter.of(other));
    assertThat(joined).isEqualTo(both);
    assertThat(TypedFilter.of(joined)).isNotNull();
  }

  @Test
  void listsFieldsAndParts() {
    TypedFilter filter = TypedFilter.of("status>500 -host:web-* timeout");
    assertThat(filter.fields())
        .containsExactly(
            new TypedFilter.Field("data.status", new Span(0, 6)),
            new TypedFilter.Field("data.host", new Span(12, 16)));
    assertThat(filter.parts()).containsExactly(new Span(0, 10), new Span(11, 22), new Span(23, 30));
    assertThat(TypedFilter.of("data.a.b > 1 && has(data[\"x y\"].c)").fields())
        .containsExactly(
            new TypedFilter.Field("data.a.b", new Span(0, 8)),
            new TypedFilter.Field("data.x y.c", new Span(20, 33)));
  }

  @Test
  void listsTheValuesComparedWithFields() {
    assertThat(TypedFilter.of("level:error -host:web status>5 timeout").compared())
        .isEqualTo(
            List.of(
                new Outline.Value("data.level", "error", Outline.Extent.WHOLE),
                new Outline.Value("data.level", "error", Outline.Extent.WORDS),
                new Outline.Value("data", "timeout", Outline.Extent.WORDS)));
  }
}
