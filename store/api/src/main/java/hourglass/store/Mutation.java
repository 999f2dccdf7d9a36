package hourglass.store;

import hourglass.bucketing.RowKey;

/** Columns to upsert into one row: at least one, all with ticks in the row's hour. */
public record Mutation(RowKey row, Columns columns) {
  public Mutation {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("mutation of " + row + ": no columns");
    }
    int last = columns.size() - 1;
    if (!row.hour().contains(columns.ticks(0)) || !row.hour().contains(columns.ticks(last))) {
      throw new IllegalArgumentException("mutation of " + row + ": a column of another hour");
    }
  }
}
