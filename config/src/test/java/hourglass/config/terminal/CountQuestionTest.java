package hourglass.config.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountQuestionTest {
  private static Asked with(String answer, String arguments) throws Exception {
    return Asked.with(CannedServer.whole("", answer), arguments.split(" "));
  }

  private static void prints(String answer, String arguments, String table) throws Exception {
    assertThat(with(answer, arguments)).isEqualTo(new Asked(0, table, ""));
  }

  @Test
  void typesWithMostEventsAreFirst() throws Exception {
    String answer =
        "{\"types\":[{\"type\":\"a\\u001b\",\"count\":2,\"bytes\":20},"
            + "{\"type\":\"login\",\"count\":1234,\"bytes\":98765}],\"complete\":true}";
    prints(
        answer,
        "types",
        """
        type     events   bytes
        login     1,234  98,765
        a\\u001b       2      20
        (all)     1,236  98,785
        """);
    prints(
        answer,
        "types -n 1",
        """
        type   events   bytes
        login   1,234  98,765
        (all)   1,236  98,785
        """);
    prints(answer, "types --json", answer + "\n");
  }

  @Test
  void longValuesDoNotWidenOtherLines() throws Exception {
    String text = "x".repeat(100);
    prints(
        "{\"values\":[{\"value\":\"%s\",\"count\":3},{\"value\":1e99999999999,\"count\":1}],"
                .formatted(text)
            + "\"events\":4,\"absent\":0,\"complete\":true}",
        "top data.x",
        """
        value%s  events  share
        %s       3  75.0%%  ████████████████████████████████████████
        %s       1  25.0%%  █████████████▍
        4 events, 0 without the field
        """
            .formatted(" ".repeat(55), text, "\"1e99999999999\"" + " ".repeat(45)));
  }

  @Test
  void hitsArePrintedAsBars() throws Exception {
    prints(
        "{\"step_ms\":60000,\"from\":\"2026-11-20T08:00:00.0000000Z\","
            + "\"to\":\"2026-11-20T08:03:00.0000000Z\","
            + "\"series\":[{\"counts\":[1000,0,13]}],\"total\":1013,\"complete\":true}",
        "hits --hour 2026-11-20T08",
        """
        time                  events
        2026-11-20T08:00:00Z   1,000  ████████████████████████████████████████
        2026-11-20T08:01:00Z       0
        2026-11-20T08:02:00Z      13  ▌
        1,013 events
        """);
  }

  @Test
  void hitsOfGroupsArePrintedAsLinesOfBars() throws Exception {
    prints(
        "{\"step_ms\":60000,\"from\":\"2026-11-20T08:00:00.0000000Z\","
            + "\"to\":\"2026-11-20T08:03:00.0000000Z\",\"series\":["
            + "{\"group\":{\"type\":\"a\",\"data.Host\":\"web 1\"},\"counts\":[8,0,1]},"
            + "{\"group\":{\"type\":\"a\",\"data.Host\":null},\"counts\":[4,0,0]},"
            + "{\"group\":{\"type\":\"b\",\"absent\":[\"data.Host\"]},\"counts\":[0,3,0]},"
            + "{\"other\":true,\"counts\":[1,1,1]}],\"total\":19,\"complete\":true}",
        "hits --hour 2026-11-20T08 --by type --by data.Host",
        """
        type     data.Host  events  2026-11-20T08:00:00Z to 2026-11-20T08:03:00Z
        a        web 1           9  █ ▁
        a        null            4  ▄
        b        (absent)        3   ▃
        (other)  (other)         3  ▁▁▁
        19 events
        """);
  }

  @Test
  void statsHaveALineForEachGroupOrStep() throws Exception {
    prints(
        "{\"field\":\"data.ms\",\"series\":[{\"type\":\"a\",\"events\":1000,\"count\":990,"
            + "\"min\":0.4,\"max\":1843,\"mean\":41.2512345678,\"p50\":23,\"p90\":95,\"p99\":402,"
            + "\"p99.9\":1510},{\"type\":\"b\",\"events\":1,\"count\":0,\"min\":null,\"max\":null,"
            + "\"mean\":null,\"p50\":null,\"p90\":null,\"p99\":null,\"p99.9\":null}],"
            + "\"complete\":true}",
        "stats data.ms --by type",
        """
        type  events  numbers  min     mean  p50  p90  p99  p99.9   max
        a      1,000      990  0.4  41.2512   23   95  402   1510  1843
        b          1        0
        """);
    prints(
        "{\"field\":\"data.ms\",\"step_ms\":60000,\"from\":\"2026-11-20T08:00:00.0000000Z\","
            + "\"to\":\"2026-11-20T08:02:00.0000000Z\",\"series\":[{\"events\":[1,0],"
            + "\"count\":[1,0],\"min\":[1e25,null],\"max\":[1e25,null],\"mean\":[1e25,null],"
            + "\"p50\":[7,null],\"p90\":[7,null],\"p99\":[7,null],\"p99.9\":[7,null]}],"
            + "\"complete\":true}",
        "stats data.ms --step 1m",
        """
        time                  events  numbers    min   mean  p50  p90  p99  p99.9    max
        2026-11-20T08:00:00Z       1        1  1E+25  1E+25    7    7    7      7  1E+25
        2026-11-20T08:01:00Z       0        0
        """);
  }

  @Test
  void topValuesShowTheirKind() throws Exception {
    prints(
        "{\"field\":\"data.x\",\"values\":[{\"value\":\"1\",\"count\":5,\"error_max\":0},"
            + "{\"value\":1,\"count\":3,\"error_max\":2},{\"value\":null,\"count\":1,"
            + "\"error_max\":0}],\"events\":1000,\"absent\":12,\"exact\":false,"
            + "\"others_max\":2,\"complete\":true}",
        "top data.x -n 3",
        """
        value  events  share
        "1"         5   0.5%  ████████████████████████████████████████
        1         >=3   0.3%  ████████████████████████
        null        1   0.1%  ████████
        1,000 events, 12 without the field; another value has at most 2 events
        """);
  }

  @Test
  void fieldsShowKindsAndValues() throws Exception {
    prints(
        "{\"fields\":[{\"field\":\"data.status\",\"events\":999,\"kinds\":{\"number\":990,"
            + "\"string\":9,\"null\":0},\"distinct\":300,\"distinct_exact\":false,\"min\":200,"
            + "\"max\":500,\"values\":[{\"value\":200,\"count\":900},{\"value\":\"500\","
            + "\"count\":9}],\"values_exact\":false},{\"field\":\"data.ok\",\"events\":9,"
            + "\"kinds\":{\"boolean\":9},\"distinct\":1,\"distinct_exact\":true,\"values\":[{"
            + "\"value\":true,\"count\":9}],\"values_exact\":true}],\"events\":1000,\"more\":true,\"sampled\":0.1,\"complete\":true}",
        "fields -n 1",
        """
        field        kinds          events  share  distinct  min  max  values
        data.status  number string     999  99.9%      ~300  200  500  200 (~900), "500" (~9)
        data.ok      boolean             9   0.9%         1            true (9)
        1,000 events; estimated from 0.1 of the time; more fields with -n
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"types\":[],\"complete\":false} | the answer is not complete",
        "{\"types\":[]} | the answer is not complete",
        "{\"types\":[],\"rows\":{\"missing\":[\"r\"]},\"missing\":[\"h\"],\"complete\":false} | rows missing: [r]; parts missing: [h]",
        "{\"types\":[ | broken JSON",
        "[] | no JSON object",
        "'' | no JSON object",
      })
  void incompleteAnswersFail(String answer, String message) throws Exception {
    Asked asked = with(answer, "types");
    assertThat(asked.exit()).isEqualTo(1);
    assertThat(asked.err().lines()).singleElement().asString().contains(message);
  }

  @Test
  void aTruncatedAnswerPrintsNothing() throws Exception {
    String cut = CannedServer.whole("", "{\"types\":[],\"complete\":true}");
    Asked asked = Asked.with(cut.substring(0, cut.length() - 1), "types", "--json");
    assertThat(asked)
        .isEqualTo(new Asked(1, "", "hourglass: the answer broke off: 27 of 28 bytes\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // now is 08:15:30
        "hits | from=2026-11-20T08%3A00%3A00Z&to=2026-11-20T08%3A16%3A00Z&step=1m",
        "hits --hour yesterday | from=2026-11-19T00%3A00%3A00Z&to=2026-11-20T00%3A00%3A00Z&step=1h",
        "hits --step 30s | from=2026-11-20T08%3A00%3A30Z&to=2026-11-20T08%3A16%3A00Z&step=30s",
        "hits --since 2d | from=2026-11-18T08%3A00%3A00Z&to=2026-11-20T09%3A00%3A00Z&step=1h",
        "hits --hour 2026-11-20T08 --by type -n 5 | hour=2026-11-20T08&step=1m&by=type&groups=5",
        "hits --from 2026-11-20T00 --to 2026-11-20T08:00:00+01:00 | from=2026-11-20T00&to=2026-11-20T08%3A00%3A00%2B01%3A00&step=15m",
        "stats data.ms --type a | field=data.ms&from=2026-11-20T08%3A00%3A30Z&type=a",
        "stats data.ms --step 36h --since 2d | field=data.ms&from=2026-11-18T00%3A00%3A00Z&to=2026-11-21T00%3A00%3A00Z&step=36h",
        "top data.path -n 3 --by type | field=data.path&from=2026-11-20T08%3A00%3A30Z&by=type&n=3",
        "fields --prefix data.h -n 9 | from=2026-11-20T08%3A00%3A30Z&prefix=data.h&n=9",
      })
  void optionsBecomeParameters(String arguments, String parameters) throws Exception {
    String answer = "{\"series\":[],\"complete\":true}";
    try (CannedServer server = new CannedServer(CannedServer.whole("", answer))) {
      Asked.run((arguments + " --json --target " + server.url()).split(" "));
      assertThat(server.requests().get(0))
          .startsWith(
              "GET /api/v1/%s?%s HTTP/1.1\n".formatted(arguments.split(" ")[0], parameters));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stats | FIELD",
        "top | FIELD",
        "hits -n 0 | -n: 0, want 1 or more",
        "hits --step 1w | '1w' is not a duration",
        "types --from x | --from: x, want a day",
        "types --hour 2026-11-20T08 --from x | --hour: not with --from, --to or --since",
      })
  void wrongUsageIsRefused(String arguments, String message) {
    Asked asked = Asked.run(arguments.split(" "));
    assertThat(asked.exit()).isEqualTo(2);
    assertThat(asked.err()).contains(message);
  }
}
