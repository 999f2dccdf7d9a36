package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The table of one retention class, such as {@code events_keep} or {@code events_30d}. Thread-safe.
 *
 * <p>The write timestamp of a column is its event time in microseconds since 1970, plus an hour for
 * each drop of the event's hour:
 *
 * <pre>
 * generation 0   [start, start + 1 h)         the event times
 * drop           all before start + 1 h       one tombstone per row
 * generation 1   [start + 1 h, start + 2 h)   later than the tombstone, so not covered by it
 * </pre>
 *
 * <p>Within a generation a name always has the same timestamp, so Cassandra keeps the larger
 * payload.
 */
final class EventsTable {
  /** Counted by the server besides the payload: row, cell, name and timestamp. */
  static final int COLUMN_BYTES = 40;

  private static final int ID_BYTES = 16;
  private static final int PROTOCOL_BATCH_MAX = 0xffff;
  private static final long TICKS_PER_MICRO = Ticks.PER_MILLI / 1000;
  private static final long HOUR_MICROS = Ticks.PER_HOUR / TICKS_PER_MICRO;

  private final Cql cql;
  private final RetentionClass retentionClass;
  private final int batchBytes;
  private final PreparedStatement insert;
  private final PreparedStatement ascending;
  private final PreparedStatement descending;
  private final PreparedStatement delete;

  private EventsTable(
      Cql cql, RetentionClass retentionClass, int batchBytes, List<PreparedStatement> statements) {
    this.cql = cql;
    this.retentionClass = retentionClass;
    this.batchBytes = batchBytes;
    this.insert = statements.get(0);
    this.ascending = statements.get(1);
    this.descending = statements.get(2);
    this.delete = statements.get(3);
  }

  static CompletionStage<EventsTable> prepare(
      Cql cql, RetentionClass retentionClass, int batchBytes) {
    String table = "%s." + retentionClass.table();
    String select = "SELECT id, payload FROM " + table + " WHERE row = ? AND id >= ? AND id < ?";
    return Futures.all(
            Stream.of(
                    "INSERT INTO "
                        + table
                        + " (row, id, payload) VALUES (?, ?, ?)"
                        + " USING TIMESTAMP ?",
                    select + " ORDER BY id ASC LIMIT ?",
                    select + " ORDER BY id DESC LIMIT ?",
                    "DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ?")
                .map(cql::prepareAsync))
        .thenApply(statements -> new EventsTable(cql, retentionClass, batchBytes, statements));
  }

  RetentionClass retentionClass() {
    return retentionClass;
  }

  /** Atomic if the columns fit one batch. */
  CompletionStage<Void> insert(RowKey row, int generation, Columns columns) {
    List<Statement<?>> batches = batches(row, generation, columns);
    return batches.size() == 1
        ? cql.write(batches.get(0))
        : Futures.allOf(batches.stream().map(cql::write));
  }

  /**
   * Divides columns into unlogged batches. Sizes count as on the server, up to {@code batchBytes}.
   * A larger payload is sent alone.
   */
  private List<Statement<?>> batches(RowKey row, int generation, Columns columns) {
    ByteBuffer key = key(row);
    ByteBuffer payloads = ByteBuffer.wrap(columns.bytes());
    List<Statement<?>> batches = new ArrayList<>();
    int from = 0;
    while (from < columns.size()) {
      int to = batchEnd(columns, from);
      List<BatchableStatement<?>> inserts = new ArrayList<>(to - from);
      for (int i = from; i < to; i++) {
        inserts.add(
            insert
                .boundStatementBuilder()
                .setBytesUnsafe(0, key)
                .setBytesUnsafe(1, id(columns.ticks(i), columns.lsb(i)))
                .setBytesUnsafe(2, payloads.slice(columns.offset(i), columns.length(i)))
                .setLong(3, writeMicros(columns.ticks(i), generation))
                .build());
      }
      batches.add(
          inserts.size() == 1
              ? retentionClass.expiring(row.hour(), (BoundStatement) inserts.get(0))
              : retentionClass.expiring(
                  row.hour(), BatchStatement.newInstance(DefaultBatchType.UNLOGGED, inserts)));
      from = to;
    }
    return batches;
  }

  /** Exclusive; a batch has at least one column. */
  private int batchEnd(Columns columns, int from) {
    int to = from;
    long bytes = 0;
    do {
      bytes += columns.length(to) + COLUMN_BYTES;
      to++;
    } while (to < columns.size()
        && bytes + columns.length(to) + COLUMN_BYTES <= batchBytes
        && to - from < PROTOCOL_BATCH_MAX);
    return to;
  }

  CompletionStage<AsyncResultSet> select(RowKey row, ColumnRange range, Order order, int limit) {
    return cql.read(
        (order == Order.ASCENDING ? ascending : descending)
            .boundStatementBuilder()
            .setBytesUnsafe(0, key(row))
            .setBytesUnsafe(1, id(range.from().ticks(), range.from().lsb()))
            .setBytesUnsafe(2, id(range.to().ticks(), range.to().lsb()))
            .setInt(3, limit)
            .setPageSize(limit)
            .build());
  }

  /** Deletes all columns of a row from this generation and earlier ones. */
  CompletionStage<Void> delete(RowKey row, int generation) {
    return cql.write(delete.bind(lastWriteMicros(row.hour(), generation), row.toString()));
  }

  private static long lastWriteMicros(Hour hour, int generation) {
    return writeMicros(hour.endTicks(), generation) - 1;
  }

  private static long writeMicros(long ticks, int generation) {
    return (ticks - Ticks.UNIX_EPOCH) / TICKS_PER_MICRO + generation * HOUR_MICROS;
  }

  static ByteBuffer key(RowKey row) {
    return ByteBuffer.wrap(row.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static ByteBuffer id(long ticks, long lsb) {
    return ByteBuffer.allocate(ID_BYTES).putLong(0, TimeUuid.msbOfTicks(ticks)).putLong(8, lsb);
  }
}
