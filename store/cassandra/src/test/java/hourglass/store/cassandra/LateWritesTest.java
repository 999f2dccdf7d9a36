package hourglass.store.cassandra;

import java.time.Instant;

/** The contract when all hours but the last are over, so that every write is late. */
class LateWritesTest extends CassandraContract {
  private static final String KEYSPACE = OneNode.freshKeyspace();

  LateWritesTest() {
    super(KEYSPACE, Instant.parse("2027-01-01T00:00:00Z"));
  }
}
