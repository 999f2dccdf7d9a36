package hourglass.query.tail;

import hourglass.bucketing.TimeUuid;
import hourglass.query.encode.RowText;
import hourglass.store.Columns;

/**
 * An event of a tail.
 *
 * @param row its type, in the spellings that answers need
 * @param column the event alone, so that nothing else is kept with it
 * @param isLate whether it came behind the settled cursor
 * @param after the position of a tail that has it
 */
record TailEvent(RowText row, Columns column, boolean isLate, TailPosition after) {
  private static final int OVERHEAD_BYTES = 300;

  static TailEvent of(RowText row, Columns columns, int i, boolean isLate, TailPosition after) {
    return new TailEvent(row, columns.subColumns(i, i + 1).copy(), isLate, after);
  }

  TimeUuid name() {
    return column.first();
  }

  /** What it takes of memory, about. */
  int bytes() {
    return OVERHEAD_BYTES + column.payloadBytes();
  }
}
