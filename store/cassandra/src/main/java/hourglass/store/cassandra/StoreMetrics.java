package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.metadata.NodeState;
import hourglass.store.cassandra.driver.RequestWindow;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;

/** The meters of the engine. Thread-safe. */
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

  void watch(List<RequestWindow> windows, Writer writer, OwnRows ownRows, Connection connection) {
    windows.forEach(this::watch);
    Gauge.builder("hourglass.store.open", writer, Writer::bytesUnderWay)
        .description("Bytes of writes not acknowledged yet")
        .baseUnit("bytes")
        .register(meters);
    Gauge.builder("hourglass.store.rows.untold", ownRows, OwnRows::inexactRows)
        .description("Rows of which the directory knows bounds only")
        .register(meters);
    for (NodeState state : NodeState.values()) {
      Gauge.builder("hourglass.store.nodes", connection, c -> c.nodes(state))
          .description("Nodes of the cluster, by what the driver knows of them")
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(meters);
    }
  }

  private void watch(RequestWindow window) {
    Gauge.builder("hourglass.store.requests.running", window, RequestWindow::running)
        .description("Requests under way")
        .tag("kind", window.name())
        .register(meters);
    Gauge.builder("hourglass.store.requests.waiting", window, RequestWindow::waiting)
        .description("Requests that wait for their turn")
        .tag("kind", window.name())
        .register(meters);
  }
}
