package hourglass.query;

import org.jspecify.annotations.Nullable;

/**
 * What an answer says of itself.
 *
 * @param rowsAsked rows of all hours that the answer reached
 * @param rowsAnswered how many of them answered
 * @param cursor where the next page begins, if there is one
 */
public record AnswerFacts(long rowsAsked, long rowsAnswered, @Nullable String cursor) {

  /** Whether every row that was asked has answered. */
  public boolean isComplete() {
    return rowsAsked == rowsAnswered;
  }
}
