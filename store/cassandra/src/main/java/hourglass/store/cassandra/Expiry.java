package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.Statement;
import hourglass.bucketing.Hour;

/**
 * Makes what is written of an hour end when the hour's retention does, whenever it is written: the
 * TTL counts from the end of the hour, and not from now.
 *
 * <p>So a replay prolongs nothing. And two cells of one name, with one write timestamp, end at one
 * second: Cassandra compares their ends before their bytes, and the larger payload would not win.
 */
final class Expiry {
  private Expiry() {}

  static <T extends Statement<T>> T of(RetentionClass retentionClass, Hour hour, T statement) {
    return retentionClass.ends()
        ? statement.setNowInSeconds(Math.toIntExact(hour.end().getEpochSecond()))
        : statement;
  }
}
