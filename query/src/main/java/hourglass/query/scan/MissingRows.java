package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows that an answer lacks because the store could not read them. Thread-safe. */
public final class MissingRows {
  private static final Logger log = LoggerFactory.getLogger(MissingRows.class);

  /** The answer names all missing rows; beyond this number it fails. */
  static final int ROWS_MAX = 10_000;

  /** Guarded by this. */
  private final TreeSet<RowKey> rows = new TreeSet<>();

  /**
   * Records a row if the store failed to read it; other failures are ours and are refused.
   *
   * @return whether the answer may continue without the row
   */
  public synchronized boolean takes(RowKey row, CompletionException failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    boolean ofStore =
        cause instanceof UnavailableException
            || cause instanceof TimeoutException
            || cause instanceof OverloadedException
            || cause instanceof CorruptException;
    if (!ofStore || rows.size() == ROWS_MAX) {
      return false;
    }
    if (rows.isEmpty()) { // later rows mostly fail for the same reason
      log.warn("an answer goes without row {}, and maybe others: {}", row, cause.toString());
    }
    rows.add(row);
    return true;
  }

  /** Whether a row is recorded as unreadable. */
  public synchronized boolean has(RowKey row) {
    return rows.contains(row);
  }

  /** The rows recorded so far, sorted. */
  synchronized List<RowKey> rows() {
    return List.copyOf(rows);
  }
}
