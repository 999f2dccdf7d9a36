package hourglass.query.loki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.query.filter.FilterChecks;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogQl;
import hourglass.query.logql.LogSelector;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FieldFilter;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogFilterTest {
  private static final Columns LONG = column("{\"message\":\"" + "a ".repeat(500_000) + "\"}");

  private static Columns column(String payload) {
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder one = new ColumnsBuilder(1, bytes.length);
    one.add(0, 0, bytes, 0, bytes.length);
    return one.build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"!= `zz`", "!~ `z+`", "| json", "| logfmt", "| json | message =~ `(a |b)+`"})
  void anyStageOverALongLineEndsWithItsClient(String stage) {
    LogFilter filter =
        LogFilter.of(LogQl.parseSelector("{service_name=`t`} " + stage), StreamLabels.STANDARD);
    filter.check();
    assertThatThrownBy(() -> filter.run("t", LONG, 0, () -> true, line -> line))
        .isInstanceOf(CancellationException.class);
  }

  /** A regular expression needs too many steps for such a message. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "| detected_level=`error` | json | message=~`(.*a){9}.*(timeout|refused|reset).*`",
        "| json | detected_level=`error`, message=~`(.*a){9}.*(timeout|refused|reset).*`",
        "| detected_level=~`e.+` | json | message=~`(.*a){9}.*(timeout|refused|reset).*`",
      })
  void aLineOfAnotherLevelIsNotMatchedWithExpressions(String stages) {
    Columns info = column("{\"level\":\"info\",\"message\":\"" + "a ".repeat(500_000) + "\"}");
    assertThat(takes("{service_name=`t`} " + stages, info)).isFalse();
  }

  /** The expression needs too many steps for this message. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "|= `zz` | json | message=~`(.*a){9}.*(timeout|refused|reset).*`",
        "!= `a a` | json | message=~`(.*a){9}.*(timeout|refused|reset).*`",
        "|~ `z+` | json | message=~`(.*a){9}.*(timeout|refused|reset).*`",
        "| json |= `zz` | message=~`(.*a){9}.*(timeout|refused|reset).*`",
        "|= `zz` |~ `(.*a){9}.*(timeout|refused|reset).*`",
        "| json | message=`b` |~ `(.*a){9}.*(timeout|refused|reset).*`",
        "| json | app_name=`b` | message=~`(.*a){9}.*(timeout|refused|reset).*`",
      })
  void aLineThatAnEarlierFilterLeavesOutIsNotMatchedWithExpressions(String stages) {
    assertThat(takes("{service_name=`t`} " + stages, LONG)).isFalse();
  }

  @Test
  void aQueryOfThousandsOfTestsNeedsLittleStack() {
    String stage = " | " + String.join(",", Collections.nCopies(64, "a<1"));
    String query = "{service_name=`t`} | json" + stage.repeat(60);
    assertThat(takes(query, column("{\"a\":0}"))).isTrue();
    assertThat(takes(query + " | a=`1`", column("{\"a\":0}"))).isFalse();
    assertThat(takes(query, column("{\"a\":1}"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "{\"_loki\":{\"labels\":{\"app\":\"web\",\"level\":\"error\"}},\"n\":1}; true",
        "{\"_loki.labels\":{\"app\":\"web\",\"level\":\"error\"},\"n\":1} ; false",
        "{\"_loki\":{\"labels.app\":\"web\",\"labels.level\":\"error\"}}; false",
        "{\"_loki.labels.app\":\"web\",\"_loki.labels.level\":\"error\"}; false",
        "{\"_loki\":7,\"_loki.labels\":{\"app\":\"web\",\"level\":\"error\"}}; false",
      })
  void anObjectHasLabelsInItsMemberAlone(String payload, boolean hasLabels) {
    Columns column = column(payload);
    for (String labels :
        List.of("{app=`web`}", "{level=`error`}", "{app=~`w.b`}", "{service_name=`t`,app=`web`}")) {
      assertThat(takes(labels, column)).as(labels).isEqualTo(hasLabels);
      assertThat(takes(labels + " != `zz`", column)).as(labels).isEqualTo(hasLabels);
      assertThat(takes(labels + " | json | logfmt", column)).as(labels).isEqualTo(hasLabels);
    }
    assertThat(takes("{service_name=`t`} | detected_level=`error`", column)).isTrue();
    assertThat(takes("{service_name=`t`} |= `_loki`", column)).isEqualTo(!hasLabels);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "|= `full`",
        "|= `disk full`",
        "|= `full` or `none`",
        "|~ `full`",
        "|~ `(?i)FULL$`",
        "|~ `f[u]ll|none`",
        "|= `/dev full`"
      })
  void aLineIsFoundThoughItsMessageSpellsLettersByTheirNumbers(String stage) {
    String message = stage.contains("/") ? "\\/dev f\\u0075ll" : "disk f\\u0075ll";
    Columns column = column("{\"labels\":{\"app\":\"a\"},\"message\":\"" + message + "\"}");
    assertThat(takes("{app=`a`} " + stage, column)).isTrue();
  }

  private static boolean takes(String query, Columns column) {
    LogFilter filter = LogFilter.of(LogQl.parseSelector(query), StreamLabels.STANDARD);
    boolean isTaken = filter.takes("t", column, 0, () -> false);
    assertThat(filter.run("t", column, 0, () -> false, line -> line) != null).isEqualTo(isTaken);
    for (FieldFilter fields : filters(filter)) {
      FilterChecks.check(fields, query, column, 0, isTaken);
    }
    return isTaken;
  }

  /** Returns the filters for the store. */
  private static List<FieldFilter> filters(LogFilter filter) {
    return Stream.of(
            filter.fields(), filter.decidingFields(), filter.candidatesByFields(true).fields())
        .filter(Objects::nonNull)
        .toList();
  }

  @Test
  void filtersAgreeWithTheModel() {
    Random random = Seed.random(this);
    RandomLogs logs = new RandomLogs(random);
    StreamLabels rules = new StreamLabels(List.of("http.host"));
    int sure = 0;
    int required = 0;
    for (int n = 0; n < Tier.length(100, 1_000, 20_000); n++) {
      LogSelector query = LogQl.parseSelector(logs.selector());
      LogFilter filter = LogFilter.of(query, rules);
      for (LogModel.Event event : logs.events(40)) {
        LogModel model = new LogModel(List.of(event), Map.of("http_host", "http.host"));
        List<LogModel.Line> lines = model.lines(query, 0, Long.MAX_VALUE);
        boolean matches = !lines.isEmpty();
        Columns column = column(event.payload());
        String of = query + " of " + event;
        boolean isOfType = filter.mayBeOf(event.type());
        boolean isTaken = isOfType && filter.takes(event.type(), column, 0, () -> false);
        assertThat(isTaken).as(of).isEqualTo(matches);
        String line = isOfType ? line(filter, event.type(), column) : null;
        assertThat(line).as(of).isEqualTo(matches ? line(lines.get(0)) : null);
        for (FieldFilter fields : isOfType ? filters(filter) : List.<FieldFilter>of()) {
          required += FilterChecks.check(fields, of, column, 0, matches);
          sure += FilterChecks.surelyMatches(fields, column.payload(0)) ? 1 : 0;
        }
      }
    }
    assertThat(sure).isPositive();
    assertThat(required).isPositive();
  }

  private static @Nullable String line(LogFilter filter, String type, Columns column) {
    return filter.run(
        type, column, 0, () -> false, line -> line.text() + line.labels() + line.parsed());
  }

  private static String line(LogModel.Line line) {
    return line.text + line.labels() + line.parsed;
  }

  /** The store leaves out what is beyond the bounds, without a look at the rest of the payload. */
  @Test
  void numbersBeyondTheBoundsOfAFilterDoNotMatch() {
    Random random = Seed.random(this);
    int leftOut = 0;
    for (int i = 0; i < 3_000; i++) {
      String query =
          "{service_name=`t`} | json | ms %s %d, status <= 404"
              .formatted(
                  List.of(">", ">=", "==", "!=", "<").get(random.nextInt(5)), random.nextInt(8));
      LogFilter filter = LogFilter.of(LogQl.parseSelector(query), StreamLabels.STANDARD);
      String payload = payloadWithNumbers(random);
      Columns column = column(payload);
      FieldFilter fields = Objects.requireNonNull(filter.fields());
      if (FilterChecks.isBeyondBounds(fields, column.payload(0))) {
        leftOut++;
        assertThat(filter.takes("t", column, 0, () -> false))
            .as(query + " of " + payload)
            .isFalse();
      }
    }
    assertThat(leftOut).isGreaterThan(50);
  }

  private static String payloadWithNumbers(Random random) {
    return Stream.of(
            "\"ms\":" + random.nextInt(8),
            "\"ms\":" + random.nextInt(8) + ".5",
            "\"status\":" + (200 + 100 * random.nextInt(4)),
            "\"labels\":{\"env\":\"p\"}",
            "\"labels\":{\"ms\":\"3\"}",
            "\"labels.ms\":3",
            "\"metadata\":{\"ms\":\"3\"}",
            "\"message\":\"{\\\"ms\\\":3,\\\"status\\\":200}\"",
            "\"facility\":\"user\",\"severity\":\"INFO\"")
        .filter(member -> random.nextInt(3) == 0)
        .collect(Collectors.joining(",", "{", "}"));
  }
}
