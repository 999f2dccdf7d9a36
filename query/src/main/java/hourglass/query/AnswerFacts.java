package hourglass.query;

import hourglass.bucketing.RowKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an answer says of itself.
 *
 * @param rowsAsked rows of all hours that the answer reached
 * @param rowsMissing those of them that did not answer, sorted; null where one would have failed
 *     the answer
 * @param partsMissing what the store says that it lacks of these hours, so that there may be more
 *     rows
 * @param isComplete whether every row that was asked has answered, and on the pages before too, and
 *     the store lacks nothing of these hours
 * @param cursor where the next page begins, if there is one
 * @param previous where a walk the other way begins, in front of a page around an event; null of
 *     other pages, and if nothing lies there
 */
public record AnswerFacts(
    long rowsAsked,
    @Nullable List<RowKey> rowsMissing,
    List<String> partsMissing,
    boolean isComplete,
    @Nullable String cursor,
    @Nullable String previous) {

  /** Of an answer that has every row it asked, from a store that lacks some parts. */
  public static AnswerFacts lacking(List<String> parts) {
    return new AnswerFacts(0, null, parts, parts.isEmpty(), null, null);
  }

  /** How many of the rows have answered. */
  public long rowsAnswered() {
    return rowsAsked - (rowsMissing == null ? 0 : rowsMissing.size());
  }
}
