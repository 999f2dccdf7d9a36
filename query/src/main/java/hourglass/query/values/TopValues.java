package hourglass.query.values;

import java.util.List;

/**
 * The values that a field has most often.
 *
 * @param values the most frequent first; of equal counts by their bytes
 * @param events all that were looked at
 * @param absent those without the field
 * @param nested those that have an object or a list there
 * @param tooLong those whose value is too long to be counted
 * @param isExact whether each count is exact, and no other value comes more often
 * @param distinct different values that were counted in the end: all that there are, if exact
 * @param othersMax no value beside these came more often
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
   * One value.
   *
   * @param json the value, as JSON
   * @param count how often it was seen
   * @param errorMax how often it may have come beside that, at the most
   */
  public record Value(String json, long count, long errorMax) {}
}
