package hourglass.query.loki.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogQl;
import hourglass.query.logql.Metric;
import hourglass.query.service.Answer;
import hourglass.query.service.QueryService;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.OracleStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LokiMetricsTest {
  private static final long START = Ticks.of(Instant.parse("2026-11-20T08:00:00Z"));
  private static final int TIMES = 500;

  private final OracleStore store = new OracleStore();

  @AfterEach
  void close() {
    store.close();
  }

  /** Returns how often it is asked whether the client is gone, until that is so. */
  private int run(String query, int times, int goneAfter) {
    AtomicInteger asked = new AtomicInteger();
    QueryService on =
        new QueryService(store, QueryOptions.builder().build(), Clock.systemUTC(), Runnable::run)
            .with(access -> access.until(() -> asked.incrementAndGet() > goneAfter));
    LokiMetrics.Times at = new LokiMetrics.Times(START + Ticks.PER_HOUR / 2, 1_000, times, false);
    Metric metric = (Metric) LogQl.parse(query);
    var unused = new LokiMetrics(on, Answer.thread(), StreamLabels.STANDARD, at).run(metric);
    return asked.get();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sum_over_time(", "quantile_over_time(0.9,"})
  void aDisconnectedClientStopsTheAggregation(String function) {
    byte[] payload = "{\"n\":5}".getBytes(StandardCharsets.UTF_8);
    TimeUuid name = TimeUuid.first(START + Ticks.PER_HOUR / 2);
    ColumnsBuilder out = new ColumnsBuilder(1, 1);
    out.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    RowKey row = new RowKey(name.hour(), "t", 0);
    store.write(List.of(new Mutation(row, out.build()))).toCompletableFuture().join();
    String query = function + "{service_name=\"t\"} | json | unwrap n [1m])";
    int once = run(query, 1, Integer.MAX_VALUE);
    int all = run(query, TIMES, Integer.MAX_VALUE);
    assertThat(all - once).isGreaterThanOrEqualTo(TIMES - 1);
    assertThatThrownBy(() -> run(query, TIMES, all - 1)).isInstanceOf(CancellationException.class);
  }
}
