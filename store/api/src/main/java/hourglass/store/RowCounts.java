package hourglass.store;

import java.util.Map;

/**
 * The number of columns in a range of a row.
 *
 * @param bytes of their payloads
 * @param columnsByStep without empty steps
 */
public record RowCounts(long columns, long bytes, Map<Integer, Long> columnsByStep) {
  public static final RowCounts NONE = new RowCounts(0, 0, Map.of());
}
