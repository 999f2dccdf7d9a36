package hourglass.store.cassandra;

import java.time.Instant;

/**
 * The engine keeps the contract while the hour of most tests runs: rows of it are told to the
 * directory late, those of other hours at once.
 */
class CassandraStoreTest extends CassandraContract {
  private static final String KEYSPACE = OneNode.freshKeyspace();

  CassandraStoreTest() {
    super(KEYSPACE, Instant.parse("2026-11-20T08:30:00Z"));
  }
}
