package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import hourglass.store.FirstTimes;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * The table {@code first_times}. Each insert is a lightweight transaction, so that of two processes
 * that find an event at once, both get one time.
 */
final class FirstTimesTable {
  private final Cql cql;
  private final PreparedStatement insert;
  private final int seconds;
  private final DefaultConsistencyLevel serial;

  FirstTimesTable(Cql cql, CassandraOptions options) {
    this.cql = cql;
    seconds = Math.toIntExact(options.untimedWindow().toSeconds());
    serial =
        options.consistency().startsWith("LOCAL_")
            ? DefaultConsistencyLevel.LOCAL_SERIAL
            : DefaultConsistencyLevel.SERIAL;
    insert =
        cql.prepare(
            "INSERT INTO %s.first_times (lsb, more, ticks) VALUES (?, ?, ?) IF NOT EXISTS"
                + " USING TTL ?");
  }

  CompletionStage<FirstTimes> keep(FirstTimes found) {
    long[] ticks = new long[found.size()];
    return Futures.allOf(
            IntStream.range(0, ticks.length)
                .mapToObj(
                    event ->
                        keep(found, event)
                            .thenAccept(
                                result -> ticks[event] = ticks(result, found.ticks(event)))))
        .thenApply(done -> found.at(ticks));
  }

  private CompletionStage<AsyncResultSet> keep(FirstTimes found, int event) {
    return cql.transact(
        insert
            .bind(found.lsb(event), found.more(event), found.ticks(event), seconds)
            .setSerialConsistencyLevel(serial));
  }

  private static long ticks(AsyncResultSet result, long found) {
    if (result.wasApplied()) {
      return found;
    }
    return Objects.requireNonNull(result.one(), "a row, as it is there").getLong("ticks");
  }
}
