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

/** The rows that an answer goes without since the store could not read them. Thread-safe. */
public final class MissingRows {
  private static final Logger log = LoggerFactory.getLogger(MissingRows.class);

  /** All of them are named in the answer; one that lacks more fails. */
  static final int ROWS_MAX = 10_000;

  /** Guarded by this. */
  private final TreeSet<RowKey> rows = new TreeSet<>();

  /**
   * Notes a row that failed, if that is the store's failure and not one of ours.
   *
   * @return whether the answer may go on without it
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
    if (rows.isEmpty()) { // the others mostly fail for the same reason
      log.warn("an answer goes without row {}, and maybe others: {}", row, cause.toString());
    }
    rows.add(row);
    return true;
  }

  /** Whether it is known that a row cannot be read. */
  public synchronized boolean has(RowKey row) {
    return rows.contains(row);
  }

  /** Those so far, sorted. */
  synchronized List<RowKey> rows() {
    return List.copyOf(rows);
  }
}
