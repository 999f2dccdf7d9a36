package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.Statement;
import hourglass.bucketing.Hour;

/**
 * Lets data expire with the retention of its hour: the TTL counts from the end of the hour instead
 * of from now.
 *
 * <p>A replay thus prolongs nothing. Also, two cells with the same name and write timestamp expire
 * in the same second. Otherwise Cassandra would compare their expirations before their bytes, and
 * the larger payload might lose.
 */
final class Expiry {
  private Expiry() {}

  static <T extends Statement<T>> T of(RetentionClass retentionClass, Hour hour, T statement) {
    return retentionClass.ends()
        ? statement.setNowInSeconds(Math.toIntExact(hour.end().getEpochSecond()))
        : statement;
  }
}
