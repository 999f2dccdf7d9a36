package hourglass.query;

import hourglass.bucketing.RowKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts that an answer states about itself.
 *
 * @param rowsMissing sorted; null if a missing row fails the answer
 * @param partsMissing parts that the store lacks of the hours of the answer
 * @param isComplete whether all rows of all pages so far answered, and the store lacks no part
 * @param cursor of the next page; null: none
 * @param previous cursor of a walk backwards from a page around an event; null: none
 */
public record AnswerFacts(
    long rowsAsked,
    @Nullable List<RowKey> rowsMissing,
    List<String> partsMissing,
    boolean isComplete,
    @Nullable String cursor,
    @Nullable String previous) {

  public static AnswerFacts lacking(List<String> parts) {
    return new AnswerFacts(0, null, parts, parts.isEmpty(), null, null);
  }

  public long rowsAnswered() {
    return rowsAsked - (rowsMissing == null ? 0 : rowsMissing.size());
  }
}
