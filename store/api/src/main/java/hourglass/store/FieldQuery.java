package hourglass.store;

import hourglass.bucketing.RowKey;

/** Asks for the values of a field in a part of a row. */
public record FieldQuery(RowKey row, ColumnRange range, FieldFinder field) {}
