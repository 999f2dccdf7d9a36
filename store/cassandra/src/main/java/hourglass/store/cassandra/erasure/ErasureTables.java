package hourglass.store.cassandra.erasure;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import hourglass.store.cassandra.driver.Cql;
import java.time.Duration;

/** The tables of erasures. Thread-safe. */
public record ErasureTables(
    ErasuresTable erasures, ErasedNamesTable names, ErasedHashesTable hashes) {

  /**
   * Prepares the statements. Blocks.
   *
   * @param serial the level of lightweight transactions
   * @param remember how long an erasure that is done is remembered
   */
  public static ErasureTables prepare(Cql cql, ConsistencyLevel serial, Duration remember) {
    return new ErasureTables(
        new ErasuresTable(cql, serial, remember),
        new ErasedNamesTable(cql),
        new ErasedHashesTable(cql, remember));
  }
}
