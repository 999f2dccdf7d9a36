package hourglass.store.cassandra;

import hourglass.store.WideColumnStore;
import hourglass.store.testkit.EngineUnderTest;
import hourglass.store.testkit.StateOfHoursContract;

/**
 * The part of the contract that depends on whether an hour is over, with all hours but the last
 * over, so that every write is late.
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
