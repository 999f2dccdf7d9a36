package hourglass.query;

import hourglass.bucketing.RowKey;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The facts that an answer states about itself.
 *
 * @param rowsMissing sorted; null if a missing row fails the answer
 * @param partsMissing parts that the store lacks of the hours of the answer
 * @param isComplete whether all rows of all pages so far answered, and the store lacks no part
 * @param cursor of the next page; null if there is none
 * @param previous cursor of a walk backwards from a page around an event; null if there is none
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

  /** Returns the facts of an answer that joins this one and another, without cursors. */
  public AnswerFacts and(AnswerFacts other) {
    return new AnswerFacts(
        rowsAsked + other.rowsAsked,
        rowsMissing == null && other.rowsMissing == null
            ? null
            : union(or(rowsMissing), or(other.rowsMissing)),
        union(partsMissing, other.partsMissing),
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
