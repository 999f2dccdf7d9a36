package hourglass.query.tail;

import hourglass.bucketing.TimeUuid;
import hourglass.query.encode.RowText;
import hourglass.store.Columns;

/**
 * An event of a tail.
 *
 * @param row its type, in the spellings that answers need
 * @param column the event as a copy, so that no other columns stay in memory
 * @param isLate whether it is delivered late, by its record
 * @param after position of the tail behind the event
 */
record TailEvent(RowText row, Columns column, boolean isLate, TailPosition after) {
  private static final int OVERHEAD_BYTES = 300;

  static TailEvent of(RowText row, Columns columns, int i, boolean isLate, TailPosition after) {
    return new TailEvent(row, columns.subColumns(i, i + 1).copy(), isLate, after);
  }

  TimeUuid name() {
    return column.first();
  }

  /** The approximate memory of the event. */
  int bytes() {
    return OVERHEAD_BYTES + column.payloadBytes();
  }
}
