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
 * Splits the columns of one row into unlogged batches of one partition. Sizes count as on the
 * server, up to {@code batchBytes}. A larger payload is sent alone. Immutable.
 */
final class InsertBatches {
  /** Bytes per column that the server counts besides the payload: row, cell, name and timestamp. */
  static final int COLUMN_BYTES = 40;

  private final PreparedStatement insert;
  private final int batchBytes;

  InsertBatches(PreparedStatement insert, int batchBytes) {
    this.insert = insert;
    this.batchBytes = batchBytes;
  }

  /** Single statements or batches, which expire with the retention of the hour. */
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

  /** The exclusive end of a batch, which has at least one column. */
  private int end(Columns columns, int from) {
    int to = from;
    long bytes = 0;
    do {
      bytes += columns.length(to) + COLUMN_BYTES;
      to++;
    } while (to < columns.size()
        && bytes + columns.length(to) + COLUMN_BYTES <= batchBytes
        && to - from < 0xffff); // limit of the protocol
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
