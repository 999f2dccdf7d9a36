package hourglass.store.cassandra;

import hourglass.store.WideColumnStore;
import hourglass.store.testkit.EngineUnderTest;
import hourglass.store.testkit.ErasureContract;
import java.time.Instant;

/** The chapter on erasure, while the hour of most tests runs. */
class ErasureTest extends EngineUnderTest implements ErasureContract {
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
