package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.metadata.NodeState;
import hourglass.store.cassandra.driver.RequestWindow;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.Supplier;

/** Thread-safe. */
final class StoreMetrics {
  private final MeterRegistry meters;
  private final Counter retries;
  private final Counter sealedRows;

  StoreMetrics(MeterRegistry meters) {
    this.meters = meters;
    this.retries =
        Counter.builder("hourglass.store.retries")
            .description("Requests that timed out on a node and were sent to another")
            .register(meters);
    this.sealedRows =
        Counter.builder("hourglass.store.sealed.rows")
            .description("Rows that this process sealed")
            .register(meters);
  }

  Counter retries() {
    return retries;
  }

  void sealed() {
    sealedRows.increment();
  }

  void watch(CassandraStore store) {
    window("reads", store.reads());
    window("writes", store.writes());
    window("claims", store.claimRequests());
    gauge(
        "hourglass.store.open", "Bytes of writes not acknowledged yet", store::writeBytes, "bytes");
    gauge(
        "hourglass.store.rows.untold",
        "Rows of which the directory knows bounds only",
        store::inexactRows,
        "rows");
    for (NodeState state : NodeState.values()) {
      Gauge.builder("hourglass.store.nodes", store, s -> s.nodes(state))
          .description("Nodes of the cluster, by what the driver knows of them")
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(meters);
    }
  }

  private void window(String kind, RequestWindow window) {
    Gauge.builder("hourglass.store.requests.running", window, RequestWindow::running)
        .description("Requests under way")
        .tag("kind", kind)
        .register(meters);
    Gauge.builder("hourglass.store.requests.waiting", window, RequestWindow::waiting)
        .description("Requests that wait for their turn")
        .tag("kind", kind)
        .register(meters);
  }

  private void gauge(String name, String description, Supplier<Number> value, String unit) {
    Gauge.builder(name, value).description(description).baseUnit(unit).register(meters);
  }
}
