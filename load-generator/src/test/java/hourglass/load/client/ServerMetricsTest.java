package hourglass.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ServerMetricsTest {
  @Test
  void readsThreeMetricsAndSumsTheirSeries() {
    ServerMetrics metrics =
        ServerMetrics.parse(
            """
            # HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.
            # TYPE process_cpu_seconds_total counter
            process_cpu_seconds_total 12.75
            process_cpu_seconds_total_other 99
            hourglass_store_disk_bytes{part="a b }",x="1"} 1.5E3
            hourglass_store_disk_bytes{part="log"} 500 1700000000
            """);
    assertThat(metrics).isEqualTo(new ServerMetrics(12.75, null, 2000.0));
  }
}
