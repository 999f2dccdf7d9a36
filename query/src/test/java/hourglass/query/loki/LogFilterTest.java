package hourglass.query.loki;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.query.logql.LogQl;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.params.ParameterizedTest;
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
  @ValueSource(strings = {"!= `zz`", "!~ `z+`", "| json", "| logfmt"})
  void anyStageOverALongLineEndsWithItsClient(String stage) {
    LogFilter filter =
        LogFilter.of(LogQl.parseSelector("{service_name=`t`} " + stage), StreamLabels.STANDARD);
    filter.check();
    assertThatThrownBy(() -> filter.run("t", LONG, 0, () -> true, line -> line))
        .isInstanceOf(CancellationException.class);
  }
}
