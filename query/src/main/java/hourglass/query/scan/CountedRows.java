package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.query.AnswerFacts;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts the rows that a count query reads, and records the missing ones. Thread-safe. */
public final class CountedRows {
  private final AtomicLong asked = new AtomicLong();
  private final @Nullable MissingRows missing;

  /**
   * @param partial whether unreadable rows are left out and named; otherwise one fails the answer
   */
  public CountedRows(boolean partial) {
    missing = partial ? new MissingRows() : null;
  }

  void add(int rows) {
    asked.addAndGet(rows);
  }

  /** Records unreadable rows; null: an unreadable row fails the answer. */
  public @Nullable MissingRows missing() {
    return missing;
  }

  /**
   * The facts of the finished answer.
   *
   * @param lacking data that the store lacks in the hours of the answer
   */
  public AnswerFacts facts(List<String> lacking) {
    List<RowKey> without = missing == null ? null : missing.rows();
    boolean answered = without == null || without.isEmpty();
    return new AnswerFacts(
        asked.get(), without, lacking, answered && lacking.isEmpty(), null, null);
  }
}
