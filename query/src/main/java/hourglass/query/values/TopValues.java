package hourglass.query.values;

import java.util.List;

/**
 * The most frequent values of a field.
 *
 * @param values the most frequent first; if counts are equal, by their bytes
 * @param nested events with an object or a list there
 * @param tooLong events with a value that is too long to count
 * @param isExact whether each count is exact, and no other value is more frequent
 * @param distinct different values among the final counts; all of them, if exact
 * @param othersMax upper bound on the count of any other value
 */
public record TopValues(
    List<Value> values,
    long events,
    long absent,
    long nested,
    long tooLong,
    boolean isExact,
    int distinct,
    long othersMax) {

  /**
   * A value as JSON, and its count.
   *
   * @param errorMax upper bound on the occurrences that {@code count} does not include
   */
  public record Value(String json, long count, long errorMax) {}
}
