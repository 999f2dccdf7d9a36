package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.query.AnswerFacts;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The rows that a question of counts asked, and those that it goes without. Thread-safe. */
public final class CountedRows {
  private final AtomicLong asked = new AtomicLong();
  private final @Nullable MissingRows missing;

  /**
   * @param partial whether rows that cannot be read are left out and named; else one fails the
   *     answer
   */
  public CountedRows(boolean partial) {
    missing = partial ? new MissingRows() : null;
  }

  /** Adds rows of an hour that is visited. */
  void add(int rows) {
    asked.addAndGet(rows);
  }

  /** Takes the rows that cannot be read; null: one of them fails the answer. */
  public @Nullable MissingRows missing() {
    return missing;
  }

  /**
   * What the answer says of itself, once it is done.
   *
   * @param lacking what the store lacks of its hours
   */
  public AnswerFacts facts(List<String> lacking) {
    List<RowKey> without = missing == null ? null : missing.rows();
    boolean answered = without == null || without.isEmpty();
    return new AnswerFacts(
        asked.get(), without, lacking, answered && lacking.isEmpty(), null, null);
  }
}
