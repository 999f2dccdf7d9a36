package hourglass.store.cassandra;

import hourglass.store.WideColumnStore;
import hourglass.store.testkit.WideColumnStoreContract;
import java.time.Instant;

/** The contract while the hour of most tests runs: its rows are published late, others at once. */
class CassandraStoreTest extends WideColumnStoreContract {
  private static final String KEYSPACE = OneNode.freshKeyspace();

  private final CassandraEngine engine =
      new CassandraEngine(KEYSPACE, Instant.parse("2026-11-20T08:30:00Z"));

  @Override
  protected WideColumnStore open() {
    return engine.open();
  }

  @Override
  protected void seal(WideColumnStore opened) {
    engine.seal(opened);
  }
}
