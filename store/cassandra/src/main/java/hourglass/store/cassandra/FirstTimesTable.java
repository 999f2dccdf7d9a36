package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import hourglass.store.Columns;
import hourglass.store.FirstTimes;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.driver.TokenRanges;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The table {@code first_times}. Each insert is a lightweight transaction: if two processes find an
 * event at once, both get the same time.
 */
final class FirstTimesTable {
  private record Event(long lsb, long more) {}

  private final Cql cql;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final PreparedStatement delete;
  private final int seconds;
  private final DefaultConsistencyLevel serial;

  FirstTimesTable(Cql cql, CassandraOptions options) {
    this.cql = cql;
    seconds = Math.toIntExact(options.untimedWindow().toSeconds());
    serial = options.serialConsistency();
    insert =
        cql.prepare(
            "INSERT INTO %s.first_times (lsb, more, ticks) VALUES (?, ?, ?) IF NOT EXISTS"
                + " USING TTL ?");
    select =
        cql.prepare(
            "SELECT lsb, more, ticks FROM %s.first_times"
                + " WHERE token(lsb, more) > ? AND token(lsb, more) <= ?");
    delete = cql.prepare("DELETE FROM %s.first_times WHERE lsb = ? AND more = ? IF EXISTS");
  }

  /**
   * Stores first times, and returns those that stay. It inserts each event once, since transactions
   * on one partition wait for each other.
   */
  CompletionStage<FirstTimes> keep(FirstTimes found) {
    Map<Event, CompletionStage<Long>> kept = new HashMap<>();
    List<CompletionStage<Long>> ticks = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      int event = i;
      ticks.add(
          kept.computeIfAbsent(
              new Event(found.lsb(i), found.more(i)),
              any -> keep(found, event).thenApply(done -> ticks(done, found.ticks(event)))));
    }
    return Futures.allOf(kept.values().stream())
        .thenApply(
            done ->
                found.at(
                    ticks.stream().mapToLong(each -> each.toCompletableFuture().join()).toArray()));
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

  /**
   * Deletes the first times of columns. It reads the whole table, which has the events of an
   * untimed window.
   *
   * @param names sorted, of any rows
   */
  CompletionStage<Void> erase(Collection<Columns> names) {
    return TokenRanges.readAll((after, to) -> erase(after, to, names));
  }

  private CompletionStage<Void> erase(long after, long to, Collection<Columns> names) {
    Queue<CompletionStage<AsyncResultSet>> deletions = new ConcurrentLinkedQueue<>();
    return cql.readAll(
            select.bind(after, to),
            event -> {
              long lsb = event.getLong(0);
              long ticks = event.getLong(2);
              if (names.stream().anyMatch(row -> row.contains(ticks, lsb))) {
                deletions.add(
                    cql.transact(
                        delete.bind(lsb, event.getLong(1)).setSerialConsistencyLevel(serial)));
              }
            })
        .thenCompose(done -> Futures.allOf(deletions.stream()));
  }
}
