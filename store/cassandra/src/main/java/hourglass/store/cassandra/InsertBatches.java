package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the columns of one row into unlogged batches of one partition, each of so many bytes as the
 * server counts them. A payload that is larger alone goes alone. Immutable.
 */
final class InsertBatches {
  /** What the server counts of a column besides its payload: row, cell, name and timestamp. */
  static final int COLUMN_BYTES = 40;

  private final PreparedStatement insert;
  private final int batchBytes;

  InsertBatches(PreparedStatement insert, int batchBytes) {
    this.insert = insert;
    this.batchBytes = batchBytes;
  }

  /** The requests, each a statement alone or a batch, to end with the class's hour. */
  List<Statement<?>> of(
      RetentionClass retentionClass, RowKey row, int generation, Columns columns) {
    ByteBuffer key = EventsTable.text(row);
    ByteBuffer payloads = ByteBuffer.wrap(columns.bytes());
    List<Statement<?>> batches = new ArrayList<>();
    int from = 0;
    while (from < columns.size()) {
      int to = end(columns, from);
      List<BatchableStatement<?>> inserts = new ArrayList<>(to - from);
      for (int i = from; i < to; i++) {
        inserts.add(insert(key, generation, columns, i, payloads));
      }
      batches.add(
          inserts.size() == 1
              ? Expiry.of(retentionClass, row.hour(), (BoundStatement) inserts.get(0))
              : Expiry.of(
                  retentionClass,
                  row.hour(),
                  BatchStatement.newInstance(DefaultBatchType.UNLOGGED, inserts)));
      from = to;
    }
    return batches;
  }

  /** Where the batch ends that begins with a column: at the last one that fits, at least one. */
  private int end(Columns columns, int from) {
    int to = from;
    long bytes = 0;
    do {
      bytes += columns.length(to) + COLUMN_BYTES;
      to++;
    } while (to < columns.size()
        && bytes + columns.length(to) + COLUMN_BYTES <= batchBytes
        && to - from < 0xffff); // what the protocol can count
    return to;
  }

  private BoundStatement insert(
      ByteBuffer key, int generation, Columns columns, int i, ByteBuffer payloads) {
    return insert
        .boundStatementBuilder()
        .setBytesUnsafe(0, key)
        .setBytesUnsafe(1, EventsTable.id(columns.ticks(i), columns.lsb(i)))
        .setBytesUnsafe(2, payloads.slice(columns.offset(i), columns.length(i)))
        .setLong(3, WriteTime.micros(columns.ticks(i), generation))
        .build();
  }
}
