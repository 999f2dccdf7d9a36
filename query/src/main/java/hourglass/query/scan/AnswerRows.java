package hourglass.query.scan;

import hourglass.access.Failures;
import hourglass.bucketing.RowKey;
import hourglass.query.AnswerFacts;
import hourglass.query.Gaps;
import hourglass.store.CorruptException;
import hourglass.store.OverloadedException;
import hourglass.store.RowEntry;
import hourglass.store.UnavailableException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows that an answer reads, and those of them that the store could not read. Thread-safe. */
public final class AnswerRows {
  private static final Logger logger = LoggerFactory.getLogger(AnswerRows.class);

  /**
   * The number of missing rows up to which an answer may do without them. Beyond it, the answer
   * fails.
   */
  private static final int MISSING_MAX = 10_000;

  private final boolean partial;

  // Guarded by this:
  private final @Nullable Set<RowKey> distinct;
  private final TreeSet<RowKey> missing = new TreeSet<>();
  private long asked;
  private long answered;

  /** If {@code partial} is false, an unreadable row fails the answer. */
  public AnswerRows(boolean partial) {
    this(partial, null);
  }

  private AnswerRows(boolean partial, @Nullable Set<RowKey> distinct) {
    this.partial = partial;
    this.distinct = distinct;
  }

  /** Returns the rows of several scans, each counted once. An unreadable row fails the answer. */
  static AnswerRows ofSeveralScans() {
    return new AnswerRows(false, new HashSet<>());
  }

  synchronized void add(List<RowEntry> rows) {
    if (distinct == null) {
      asked += rows.size();
    } else {
      rows.forEach(entry -> distinct.add(entry.row()));
      asked = distinct.size();
    }
  }

  synchronized long asked() {
    return asked;
  }

  synchronized void addAnswered(int rows) {
    answered += rows;
  }

  /** The number of rows of one scan that are read to their end. */
  synchronized long answered() {
    return answered;
  }

  /** Returns true if the answer may do without the row, which is then recorded as missing. */
  public synchronized boolean mayMiss(RowKey row, Throwable failure) {
    Throwable cause = Failures.cause(failure);
    boolean ofStore =
        cause instanceof UnavailableException
            || cause instanceof TimeoutException
            || cause instanceof OverloadedException
            || cause instanceof CorruptException;
    if (!partial || !ofStore || missing.size() == MISSING_MAX) {
      return false;
    }
    // The first says enough: later rows mostly fail for the same reason.
    if (missing.isEmpty() && !(cause instanceof RowDeadline.Passed)) {
      logger.warn("an answer goes without row {}, and maybe others: {}", row, cause.toString());
    }
    missing.add(row);
    return true;
  }

  public synchronized boolean isMissing(RowKey row) {
    return missing.contains(row);
  }

  /** Returns the missing rows so far, sorted; null if a missing row fails the answer. */
  synchronized @Nullable List<RowKey> missing() {
    return partial ? List.copyOf(missing) : null;
  }

  /** Returns the facts of a finished answer without pages. */
  public synchronized AnswerFacts facts(Gaps gaps) {
    boolean complete = missing.isEmpty() && gaps.missing().isEmpty();
    return new AnswerFacts(asked, missing(), gaps, complete, null, null);
  }
}
