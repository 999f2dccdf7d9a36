package hourglass.store;

import java.util.HashMap;
import java.util.Map;

/**
 * The number of columns in a range of a row.
 *
 * @param bytes the bytes of their payloads
 * @param columnsByStep contains no empty steps
 */
public record RowCounts(long columns, long bytes, Map<Integer, Long> columnsByStep) {
  public static final RowCounts NONE = new RowCounts(0, 0, Map.of());

  /** The counts of two ranges without a name in common. */
  public RowCounts plus(RowCounts other) {
    Map<Integer, Long> byStep = new HashMap<>(columnsByStep);
    other.columnsByStep.forEach((step, count) -> byStep.merge(step, count, Long::sum));
    return new RowCounts(columns + other.columns, bytes + other.bytes, byStep);
  }
}
