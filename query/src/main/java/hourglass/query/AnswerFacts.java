package hourglass.query;

import hourglass.bucketing.RowKey;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The facts that an answer states about itself.
 *
 * @param rowsMissing sorted; null if a missing row fails the answer
 * @param gaps the parts that the store does not have of the hours of the answer
 * @param isComplete whether all rows of all pages so far answered, and no part is missing
 * @param cursor of the next page; null if there is none
 * @param previous cursor of a walk backwards from a page around an event; null if there is none
 */
public record AnswerFacts(
    long rowsAsked,
    @Nullable List<RowKey> rowsMissing,
    Gaps gaps,
    boolean isComplete,
    @Nullable String cursor,
    @Nullable String previous) {

  /** Returns the facts of an answer that asks for no row. */
  public static AnswerFacts of(Gaps gaps) {
    return new AnswerFacts(0, null, gaps, gaps.missing().isEmpty(), null, null);
  }

  /** Returns the facts of an answer that joins this one and another, without cursors. */
  public AnswerFacts and(AnswerFacts other) {
    return new AnswerFacts(
        rowsAsked + other.rowsAsked,
        rowsMissing == null && other.rowsMissing == null
            ? null
            : union(or(rowsMissing), or(other.rowsMissing)),
        gaps.and(other.gaps),
        isComplete && other.isComplete,
        null,
        null);
  }

  private static List<RowKey> or(@Nullable List<RowKey> rows) {
    return rows == null ? List.of() : rows;
  }

  private static <T extends Comparable<T>> List<T> union(List<T> a, List<T> b) {
    return Stream.concat(a.stream(), b.stream()).distinct().sorted().toList();
  }

  public long rowsAnswered() {
    return rowsAsked - (rowsMissing == null ? 0 : rowsMissing.size());
  }
}
