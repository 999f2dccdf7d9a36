package hourglass.store.cassandra;

import hourglass.store.WideColumnStore;
import hourglass.store.testkit.EngineUnderTest;
import hourglass.store.testkit.EventsContract;
import hourglass.testing.Tier;
import org.junit.jupiter.api.Tag;

/**
 * The rest of the contract when all hours but the last are over: {@link LateWritesTest} has what
 * depends on that.
 */
@Tag(Tier.IN_FULL)
class LateEventsTest extends EngineUnderTest implements EventsContract {
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
