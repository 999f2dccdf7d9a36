package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.cassandra.driver.Cql;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The table of one retention class, such as {@code events_keep} or {@code events_30d}. Thread-safe.
 */
final class EventsTable {
  private static final int ID_BYTES = 16;

  private final Cql cql;
  private final RetentionClass retentionClass;
  private final InsertBatches batches;
  private final PreparedStatement ascending;
  private final PreparedStatement descending;
  private final PreparedStatement delete;

  private EventsTable(
      Cql cql,
      RetentionClass retentionClass,
      InsertBatches batches,
      PreparedStatement ascending,
      PreparedStatement descending,
      PreparedStatement delete) {
    this.cql = cql;
    this.retentionClass = retentionClass;
    this.batches = batches;
    this.ascending = ascending;
    this.descending = descending;
    this.delete = delete;
  }

  /** Prepares the statements of a class. */
  static CompletionStage<EventsTable> prepare(
      Cql cql, String keyspace, RetentionClass retentionClass, int batchBytes) {
    String table = keyspace + "." + retentionClass.table();
    String select = "SELECT id, payload FROM " + table + " WHERE row = ? AND id >= ? AND id < ?";
    var insert =
        cql.prepare(
                "INSERT INTO " + table + " (row, id, payload) VALUES (?, ?, ?) USING TIMESTAMP ?")
            .toCompletableFuture();
    var ascending = cql.prepare(select + " ORDER BY id ASC LIMIT ?").toCompletableFuture();
    var descending = cql.prepare(select + " ORDER BY id DESC LIMIT ?").toCompletableFuture();
    var delete =
        cql.prepare("DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ?")
            .toCompletableFuture();
    return CompletableFuture.allOf(insert, ascending, descending, delete)
        .thenApply(
            done ->
                new EventsTable(
                    cql,
                    retentionClass,
                    new InsertBatches(insert.join(), batchBytes),
                    ascending.join(),
                    descending.join(),
                    delete.join()));
  }

  RetentionClass retentionClass() {
    return retentionClass;
  }

  /** Upserts columns of a row; atomic if they fit one batch. */
  CompletionStage<Void> insert(RowKey row, int generation, Columns columns) {
    CompletableFuture<?>[] writes =
        batches.of(retentionClass, row, generation, columns).stream()
            .map(batch -> cql.write(batch).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    return writes.length == 1 ? writes[0].thenApply(done -> null) : CompletableFuture.allOf(writes);
  }

  /** The first columns of a range in the given order, as one page. */
  CompletionStage<AsyncResultSet> select(RowKey row, ColumnRange range, Order order, int limit) {
    PreparedStatement select = order == Order.ASCENDING ? ascending : descending;
    BoundStatement bound =
        select
            .boundStatementBuilder()
            .setBytesUnsafe(0, text(row))
            .setBytesUnsafe(1, id(range.from()))
            .setBytesUnsafe(2, id(range.to()))
            .setInt(3, limit)
            .setPageSize(limit)
            .build();
    return cql.read(bound);
  }

  /** Deletes all columns of a row from this generation and earlier ones. */
  CompletionStage<Void> delete(RowKey row, int generation) {
    return cql.write(delete.bind(WriteTime.lastMicros(row.hour(), generation), row.toString()));
  }

  /** The partition key; its token selects the nodes of a row. */
  static ByteBuffer text(RowKey row) {
    return ByteBuffer.wrap(row.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static ByteBuffer id(TimeUuid name) {
    return id(name.ticks(), name.lsb());
  }

  static ByteBuffer id(long ticks, long lsb) {
    return ByteBuffer.allocate(ID_BYTES).putLong(0, TimeUuid.msbOfTicks(ticks)).putLong(8, lsb);
  }
}
