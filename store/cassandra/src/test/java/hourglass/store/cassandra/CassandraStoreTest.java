package hourglass.store.cassandra;

import java.time.Instant;

/** The contract while the hour of most tests runs: its rows are published late, others at once. */
class CassandraStoreTest extends CassandraContract {
  private static final String KEYSPACE = OneNode.freshKeyspace();

  CassandraStoreTest() {
    super(KEYSPACE, Instant.parse("2026-11-20T08:30:00Z"));
  }
}
