package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.cassandra.driver.DriverMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of the driver's metrics do not change. */
class DriverMetricsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final String SESSION = "hourglass_store_driver_session_";
  private static final String NODES = "hourglass_store_driver_nodes_";

  private static final String NODE = "node=\"" + OneNode.contactPoints().get(0) + "\"";

  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @Test
  void requestsAreCountedPerSessionAndPerNode() {
    CassandraOptions options = OneNode.options(OneNode.freshKeyspace()).build();
    try (CassandraStore store = OneNode.open(options, Clock.systemUTC(), meters)) {
      double before = value(SESSION + "cql_requests_seconds_count");
      for (int shard = 0; shard < 10; shard++) {
        store.write(List.of(mutation(shard))).toCompletableFuture().join();
      }
      assertThat(value(SESSION + "cql_requests_seconds_count")).isGreaterThanOrEqualTo(before + 10);
      assertThat(value(SESSION + "cql_requests_seconds_bucket", "le=\"5.0\""))
          .isGreaterThanOrEqualTo(before + 10);
      assertThat(value(SESSION + "connected_nodes")).isEqualTo(1);
      assertThat(value(SESSION + "bytes_sent_total")).isPositive();
      assertThat(value(SESSION + "bytes_received_total")).isPositive();
      assertThat(value(SESSION + "cql_client_timeouts_total")).isZero();

      assertThat(value(NODES + "cql_messages_seconds_count", NODE))
          .isGreaterThanOrEqualTo(before + 10);
      assertThat(value(NODES + "pool_open_connections", NODE)).isPositive();
      assertThat(value(NODES + "pool_in_flight", NODE)).isNotNegative();
      for (String trouble :
          List.of(
              "retries_total",
              "speculative_executions_total",
              "errors_request_unsent_total",
              "errors_request_aborted_total",
              "errors_request_write_timeouts_total",
              "errors_request_read_timeouts_total",
              "errors_request_unavailables_total",
              "errors_request_others_total",
              "errors_connection_init_total",
              "errors_connection_auth_total")) {
        assertThat(value(NODES + trouble, NODE)).as(trouble).isNotNegative();
      }
    }
    assertThat(meters.scrape()).as("after the end of the session").doesNotContain(SESSION, NODES);
  }

  /** A late request of the closed session may add a meter again. */
  @Test
  void metersOfOneSessionAreRemoved() {
    SimpleMeterRegistry all = new SimpleMeterRegistry();
    all.counter("hourglass.store.driver.session.late", "session", "s1").increment();
    all.counter("hourglass.store.driver.nodes.late", "session", "s1", "node", "a").increment();
    all.counter("hourglass.store.driver.session.late", "session", "s2").increment();
    all.counter("hourglass.other", "session", "s1").increment();
    DriverMetrics.remove("s1", all);
    assertThat(all.getMeters())
        .extracting(meter -> meter.getId().getName() + " " + meter.getId().getTag("session"))
        .containsExactlyInAnyOrder("hourglass.store.driver.session.late s2", "hourglass.other s1");
  }

  private static Mutation mutation(int shard) {
    TimeUuid name = TimeUuid.first(HOUR.startTicks());
    ColumnsBuilder pack = new ColumnsBuilder(1, 1);
    pack.add(name.ticks(), name.lsb(), new byte[] {1}, 0, 1);
    return new Mutation(new RowKey(HOUR, "checkout", shard), pack.build());
  }

  private double value(String name, String... labels) {
    List<String> lines =
        meters
            .scrape()
            .lines()
            .filter(line -> line.startsWith(name + "{"))
            .filter(line -> List.of(labels).stream().allMatch(line::contains))
            .toList();
    assertThat(lines).as(name).hasSize(1);
    return Double.parseDouble(lines.get(0).substring(lines.get(0).lastIndexOf(' ') + 1));
  }
}
