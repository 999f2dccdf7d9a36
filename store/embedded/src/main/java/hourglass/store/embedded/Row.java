package hourglass.store.embedded;

import hourglass.bucketing.RowKey;
import java.util.function.UnaryOperator;

/** A row that is in memory; its content changes by whole values only. Thread-safe. */
final class Row {
  private final RowKey key;
  private volatile RowContent content = RowContent.EMPTY;
  private volatile long lastWriteMillis;

  Row(RowKey key) {
    this.key = key;
  }

  RowKey key() {
    return key;
  }

  RowContent content() {
    return content;
  }

  synchronized void update(UnaryOperator<RowContent> change) {
    content = change.apply(content);
  }

  void written(long nowMillis) {
    lastWriteMillis = nowMillis;
  }

  /** When the row was last written to by this process, in milliseconds since 1970; 0 if never. */
  long lastWriteMillis() {
    return lastWriteMillis;
  }
}
