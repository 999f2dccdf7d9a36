package hourglass.store.cassandra;

import hourglass.store.WideColumnStore;
import hourglass.store.testkit.EngineUnderTest;
import hourglass.store.testkit.StateOfHoursContract;

/**
 * What depends on whether an hour is over, when all hours but the last are, so that every write is
 * late.
 */
class LateWritesTest extends EngineUnderTest implements StateOfHoursContract {
  private static final String KEYSPACE = OneNode.freshKeyspace();

  private final CassandraEngine engine = new CassandraEngine(KEYSPACE, CassandraEngine.ALL_OVER);

  @Override
  protected WideColumnStore open() {
    return engine.open();
  }

  @Override
  protected void seal(WideColumnStore opened) {
    engine.seal(opened);
  }
}
