package hourglass.query.logql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogQlTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = " ==> ",
      value = {
        "{app=\"c\"}|=\"x\" ==> {app=\"c\"} |= \"x\"",
        "{ app = `c` , env=~\"p|q\" } # why ==> {app=\"c\", env=~\"p|q\"}",
        "{a=\"\\\"\\n\\u00e9\"} ==> {a=\"\\\"\\né\"}",
        "{a!~`b\\d`} != \"x\" or `y` !~ \"z\" ==> {a!~\"b\\\\d\"} != \"x\" or \"y\" !~ \"z\"",
        "{a=\"b\"} | json | level=\"error\" ==> {a=\"b\"} | json | level=\"error\"",
        "{a=\"b\"}|logfmt|ms>=1.5s,size<5KB or x==-1 ==> {a=\"b\"} | logfmt | ( ( ms>=1.5s and size<5KB ) or x==-1 )",
        "{a=\"b\"}|(x=\"1\" or y=~\"2\") and z!=3 ==> {a=\"b\"} | ( ( x=\"1\" or y=~\"2\" ) and z!=3 )",
        "{a=\"b\"}|line_format \"{{.x}} at {{ .y }}\"|drop x,y|keep z ==> {a=\"b\"} | line_format \"{{.x}} at {{ .y }}\" | drop x,y | keep z",
        "count_over_time({a=\"b\"}[5m]) ==> count_over_time({a=\"b\"}[5m])",
        "count_over_time({a=\"b\"}[1h30m]|=`x`) ==> count_over_time({a=\"b\"} |= \"x\"[1h30m])",
        "sum(rate({a=\"b\"}[1m])) by (x, y) ==> sum by(x,y) (rate({a=\"b\"}[1m]))",
        "topk without(x)(3,max(bytes_rate({a=\"b\"}[1m]))) ==> topk without(x) (3,max(bytes_rate({a=\"b\"}[1m])))",
        "quantile_over_time(.99,{a=\"b\"}|json|unwrap duration(ms)[1m])by(x) ==> quantile_over_time(0.99,{a=\"b\"} | json | unwrap duration(ms)[1m]) by(x)",
        "sum_over_time({a=\"b\"}|unwrap x|__error__=\"\"[1m]) ==> sum_over_time({a=\"b\"} | __error__=\"\" | unwrap x[1m])",
        "1-2-3*4^2^0.5 ==> ((1 - 2) - (3 * (4 ^ (2 ^ 0.5))))",
        "vector(1)+vector(1) ==> (vector(1) + vector(1))",
        "-1e3*sum(count_over_time({a=\"b\"}[1m])) ==> (-1000 * sum(count_over_time({a=\"b\"}[1m])))",
      })
  void queriesHaveACanonicalForm(String query, String form) {
    assertThat(LogQl.parse(query).toString()).isEqualTo(form);
    assertThat(LogQl.parse(form).toString()).isEqualTo(form);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " ==> ",
      value = {
        "{app=\"c\" |= \"x\" ==> line 1, col 10: unexpected \"|=\"; want , or }",
        "{app=\"c\"} | pattern \"<_>\" ==> col 13: the stage pattern is not supported",
        "{app=\"c\"} | json a=\"b\" ==> col 18: parameters of json are not supported",
        "{app=\"c\"} | label_format a=b ==> col 13: the stage label_format is not supported",
        "{app=\"c\"} | line_format \"{{ .a | upper }}\" ==> col 25: line_format takes texts and labels",
        "{app=\"c\"} | x=\"a ==> col 15: a string that does not end",
        "{app=\"c\"} |= \"\\q\" ==> col 15: \"\\q\" is no escape",
        "{app=\"c\"} |> \"<_>\" ==> col 11: pattern filters such as |> are not supported",
        "{app=\"c\"} |= ip(\"::1\") ==> col 14: the function ip is not supported",
        "{app=\"c\"} | x=12zb ==> col 15: \"12zb\" is no number, duration or size",
        "{app==\"c\"} ==> col 5: unexpected \"==\"",
        "rate({app=\"c\"}) ==> col 15: unexpected \")\"; want a range such as [5m]",
        "rate({app=\"c\"}[5]) ==> col 16: \"5\" is no range",
        "rate({app=\"c\"}[5m] offset 1h) ==> col 20: offset is not supported",
        "avg_over_time({app=\"c\"}[5m]) ==> col 28: unexpected \")\"; avg_over_time wants the number",
        "count_over_time({app=\"c\"}|unwrap x[5m]) ==> col 27: count_over_time takes no unwrap",
        "rate({app=\"c\"}[5m]) by (x) ==> col 21: by behind rate is not supported",
        "sum(rate({app=\"c\"}[5m])) / sum(rate({app=\"c\"}[5m])) ==> col 26: arithmetic of two metric queries",
        "sum(rate({app=\"c\"}[5m])) > 5 ==> col 26: \">\" behind a metric query is not supported",
        "sum(rate({app=\"c\"}[5m])) or vector(0) ==> col 26: \"or\" behind a metric query is not supported",
        "absent_over_time({app=\"c\"}[5m]) ==> col 1: the function absent_over_time is not supported",
        "topk(0,rate({app=\"c\"}[5m])) ==> col 6: topk wants a number from 1 to 1000",
        "sum(1) ==> col 5: sum of a constant is not supported",
        "quantile_over_time(2,{a=\"b\"}|unwrap x[1m]) ==> col 20: want a quantile from 0 to 1",
      })
  void errorsNameTheProblemAndItsColumn(String query, String problem) {
    assertThatThrownBy(() -> LogQl.parse(query))
        .isInstanceOf(LogQlException.class)
        .hasMessageStartingWith("parse error at line 1, col ")
        .hasMessageContaining(problem);
  }

  @Test
  void linesAreCounted() {
    assertThatThrownBy(() -> LogQl.parse("{a=\"b\"} # why\n  | nothing !"))
        .hasMessageContaining("line 2, col 13");
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "sum(", "-", "sum by(a)("})
  void nestingIsBounded(String open) {
    assertThatThrownBy(() -> LogQl.parse(open.repeat(1_000) + "1"))
        .isInstanceOf(LogQlException.class);
  }

  @Test
  void lengthIsBounded() {
    assertThatThrownBy(() -> LogQl.parse("{a=\"" + "b".repeat(20_000) + "\"}"))
        .hasMessageContaining("a query of 20006 characters, at most 16384");
    assertThatThrownBy(() -> LogQl.parse("{a=\"b\"}" + "|=\"x\"".repeat(100)))
        .hasMessageContaining("more than 64 stages");
    assertThatThrownBy(() -> LogQl.parse("{a=\"b\"}|" + "(".repeat(100) + "x=1"))
        .hasMessageContaining("more than 32 levels");
    assertThatThrownBy(() -> LogQl.parse("1" + "+1".repeat(100)))
        .hasMessageContaining("more than 64 operands");
  }

  /** Any text is either a query or refused. */
  @Test
  void mutatedQueriesAreReadOrRefused() {
    Random random = Seed.random(this);
    String[] queries = {
      "{app=~\"c|d\"} |= `x` | json | ms >= 1.5s or y!=\"z\" | line_format \"{{.x}}\" | drop a,b",
      "topk(3, sum by (a) (quantile_over_time(0.99, {a=\"b\"} | logfmt | unwrap bytes(x) [5m]) by (y))) * 2 ^ 3",
      "vector(1)+vector(1)",
    };
    String signs = "{}[]()|=~!<>+-*/%^,.\"`\\#0159eEmsh _az\u00e9\n\u0000";
    for (int i = 0; i < Tier.length(4_000, 20_000, 200_000); i++) {
      StringBuilder query = new StringBuilder(queries[random.nextInt(queries.length)]);
      for (int changes = random.nextInt(6); changes >= 0; changes--) {
        int at = random.nextInt(query.length());
        switch (random.nextInt(3)) {
          case 0 -> query.deleteCharAt(at);
          case 1 -> query.insert(at, signs.charAt(random.nextInt(signs.length())));
          default -> query.setCharAt(at, signs.charAt(random.nextInt(signs.length())));
        }
      }
      String form;
      try {
        form = LogQl.parse(query.toString()).toString();
      } catch (LogQlException e) {
        assertThat(e).hasMessageStartingWith("parse error at line ");
        continue;
      }
      assertThat(LogQl.parse(form).toString()).as(query.toString()).isEqualTo(form);
    }
  }
}
