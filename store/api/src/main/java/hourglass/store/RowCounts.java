package hourglass.store;

import java.util.Map;

/**
 * The number of columns in a range of a row.
 *
 * @param columns in all
 * @param bytes of their payloads
 * @param columnsByStep columns of each step that has any
 */
public record RowCounts(long columns, long bytes, Map<Integer, Long> columnsByStep) {
  /** No columns. */
  public static final RowCounts NONE = new RowCounts(0, 0, Map.of());
}
