package hourglass.query.tail;

import hourglass.bucketing.TimeUuid;
import hourglass.query.encode.RowText;
import hourglass.store.Columns;

/** An event, copied so that no other columns stay in memory, and the position after it. */
record TailEvent(RowText row, Columns column, boolean isLate, TailPosition after) {
  private static final int OVERHEAD_BYTES = 300;

  static TailEvent of(RowText row, Columns columns, int i, boolean isLate, TailPosition after) {
    return new TailEvent(row, columns.subColumns(i, i + 1).copy(), isLate, after);
  }

  TimeUuid name() {
    return column.first();
  }

  int bytes() {
    return OVERHEAD_BYTES + column.payloadBytes();
  }
}
