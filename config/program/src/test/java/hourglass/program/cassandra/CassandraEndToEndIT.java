package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.program.EndToEndTests;
import hourglass.program.MetricsPage;
import hourglass.program.ServerProcess;
import hourglass.testing.Tier;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The same round trip on a real Cassandra node. */
@Order(5)
@ResourceLock(SharedCassandra.LOCK)
@Tag(Tier.IN_FIRST)
class CassandraEndToEndIT extends EndToEndTests {
  @BeforeEach
  void empty() {
    SharedCassandra.empty();
  }

  /** Without the embedded engine, the row cache is the first to load Chronicle Map. */
  @Test
  @Tag(Tier.IN_FULL)
  void chronicleSendsNoAnalytics() throws Exception {
    try (ServerProcess server = start()) {
      assertThat(server.metrics()).contains("hourglass_query_row_cache_bytes");
      MetricsPage.assertHasAll(server.metrics());
      assertThat(server.log()).doesNotContain("analytics");
    }
  }

  @Override
  protected ServerProcess start(String... settings) throws IOException {
    return ServerProcess.start(folder, SharedCassandra.settings(settings)).awaitReady();
  }

  @Override
  protected ServerProcess restart(ServerProcess ended) throws IOException {
    return ended.restart().awaitReady();
  }

  @Override
  protected int spareColumns() {
    return 64;
  }
}
