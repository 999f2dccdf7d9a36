package hourglass.query.scan;

import hourglass.store.Columns;
import java.util.concurrent.atomic.LongAdder;

/**
 * The rows, columns and payload bytes that one query has read so far. A row that is read twice, as
 * by a query that first finds its groups, counts twice. Thread-safe.
 */
public final class QueryReads {
  private final LongAdder rows = new LongAdder();
  private final LongAdder columns = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** Adds rows that a directory has listed, and that the query now reads. */
  void addRows(int more) {
    rows.add(more);
  }

  /** Adds columns that the store returned. Some come without their payloads. */
  public void add(Columns read) {
    if (!read.isEmpty()) {
      columns.add(read.size());
      bytes.add(read.bytes().length == 0 ? 0 : read.payloadBytes());
    }
  }

  /** Adds bytes of values that the store returned without their payloads. */
  public void addBytes(long more) {
    bytes.add(more);
  }

  public long rows() {
    return rows.sum();
  }

  public long columns() {
    return columns.sum();
  }

  public long bytes() {
    return bytes.sum();
  }
}
