package hourglass.query.loki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bytes.JsonNumber;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogQl;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FieldFilter;
import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
  @ValueSource(
      strings = {"!= `zz`", "!~ `z+`", "| json", "| logfmt", "| json | message =~ `(a |b)+`"})
  void anyStageOverALongLineEndsWithItsClient(String stage) {
    LogFilter filter =
        LogFilter.of(LogQl.parseSelector("{service_name=`t`} " + stage), StreamLabels.STANDARD);
    filter.check();
    assertThatThrownBy(() -> filter.run("t", LONG, 0, () -> true, line -> line))
        .isInstanceOf(CancellationException.class);
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
      if (isBeyond(Objects.requireNonNull(filter.fields()), column)) {
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

  private static boolean isBeyond(FieldFilter fields, Columns column) {
    byte[] payload = column.payload(0);
    int[] places = fields.find(payload, 0, payload.length);
    if (places == null || !fields.isBounded(places)) {
      return false;
    }
    for (int n = 0; 2 * n < places.length; n++) {
      int from = places[2 * n];
      int to = places[2 * n + 1];
      if (to > 0 && JsonNumber.begins(payload[from])) {
        double number = JsonNumber.of(payload, from, to);
        if (number < fields.least(n) || number > fields.greatest(n)) {
          return true;
        }
      }
    }
    return false;
  }
}
