package hourglass.store.embedded.rows;

import hourglass.bucketing.RowKey;
import java.util.function.UnaryOperator;

/** A row in memory. Its content is replaced as a whole. Thread-safe. */
public final class Row {
  private final RowKey key;
  private final RowTally tally;
  private volatile RowContent content = RowContent.EMPTY;
  private volatile long lastWriteMillis;

  public Row(RowKey key, RowTally tally) {
    this.key = key;
    this.tally = tally;
  }

  public RowKey key() {
    return key;
  }

  public RowContent content() {
    return content;
  }

  public synchronized void update(UnaryOperator<RowContent> change) {
    RowContent before = content;
    content = change.apply(before);
    tally.changed(before, content);
  }

  public void written(long nowMillis) {
    lastWriteMillis = nowMillis;
  }

  /** The time of this process's last write, in milliseconds since 1970; 0 if never. */
  public long lastWriteMillis() {
    return lastWriteMillis;
  }
}
