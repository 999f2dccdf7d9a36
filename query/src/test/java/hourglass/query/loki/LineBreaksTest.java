package hourglass.query.loki;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogQl;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FieldFilter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the claims of docs/grafana.md about line breaks, and about fields that make a message the
 * line.
 */
class LineBreaksTest {
  private static final String PRETTY = "{\n  \"a\": 1,\n  \"b\": \"x\\ny\"\n}";
  private static final String MESSAGE =
      "{\"message\":\"first\\nsecond\",\"labels\":{\"app\":\"shop\"}}";

  /** Zeek's log of the syslog messages that it saw. */
  private static final String ZEEK =
      "{\"id.orig_h\":\"10.0.0.7\",\"proto\":\"udp\",\"facility\":\"AUTH\",\"severity\":\"INFO\","
          + "\"message\":\"opened\"}";

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "|= `{   \"a\": 1,   \"b\"`        ; true ; false ; false",
        "|= \"{\\n  \\\"a\\\"\"            ; false; false ; false",
        "|= `x\\ny`                        ; true ; false ; false",
        "|= \"x\\ny\"                      ; false; false ; false",
        "|= \"first\\nsecond\"             ; false; true  ; false",
        "|= `first\\nsecond`               ; false; false ; false",
        "|~ `first.second`                 ; false; false ; false",
        "|~ `(?s)first.second`             ; false; true  ; false",
        "|~ `first\\nsecond`               ; false; true  ; false",
        "|~ `1,.*\"b\"`                    ; true ; false ; false",
        "|= `opened`                       ; false; false ; true",
        "|= `10.0.0.7`                     ; false; false ; false",
        "| json | proto=`udp`              ; false; false ; false",
        "| level=`INFO`                    ; false; false ; true",
      })
  void filtersMatchWithinLines(String stage, boolean pretty, boolean message, boolean zeek) {
    assertThat(isTaken(stage, PRETTY)).as("payload of several lines").isEqualTo(pretty);
    assertThat(isTaken(stage, MESSAGE)).as("message of two lines").isEqualTo(message);
    assertThat(isTaken(stage, ZEEK)).as("message among other fields").isEqualTo(zeek);
  }

  private static boolean isTaken(String stage, String payload) {
    LogFilter filter =
        LogFilter.of(LogQl.parseSelector("{service_name=`t`} " + stage), StreamLabels.STANDARD);
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder one = new ColumnsBuilder(1, bytes.length);
    one.add(0, 0, bytes, 0, bytes.length);
    Columns column = one.build();
    boolean isTaken = filter.takes("t", column, 0, () -> false);
    FieldFilter fields = filter.fields();
    assertThat(fields == null || fields.mayMatch(column, 0) || !isTaken).isTrue();
    return isTaken;
  }
}
