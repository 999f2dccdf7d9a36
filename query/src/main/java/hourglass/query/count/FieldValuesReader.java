package hourglass.query.count;

import hourglass.bucketing.TimeUuid;
import hourglass.query.Steps;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.StoreAccess;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.RowEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of fields from a store that keeps fields apart. Large rows are read in ranges,
 * each of which fits into a query's buffer, provided that the row's events are spread evenly.
 */
final class FieldValuesReader {
  /** The size of an entry in an answer without its values: its step and its count. */
  private static final int ENTRY_BYTES = 8;

  private static final int LENGTH_BYTES = 4;

  private final StoreAccess access;
  private final @Nullable EventFilter filter;

  /** The filter in the form for the store; null if there is none. */
  private final @Nullable FieldFilter inStore;

  private final AnswerRows answerRows;

  private FieldValuesReader(
      StoreAccess access,
      @Nullable EventFilter filter,
      @Nullable FieldFilter inStore,
      AnswerRows answerRows) {
    this.access = access;
    this.filter = filter;
    this.inStore = inStore;
    this.answerRows = answerRows;
  }

  /**
   * Returns a reader for rows of one type. It is null if the store must return payloads, because it
   * does not keep fields apart, or cannot evaluate the filter.
   */
  static @Nullable FieldValuesReader of(
      StoreAccess access, String type, @Nullable EventFilter filter, AnswerRows answerRows) {
    FieldFilter inStore = filter == null ? null : filter.decidingFields(type);
    boolean isJudged = filter == null || inStore != null;
    return isJudged && access.store().keepsFieldsApart()
        ? new FieldValuesReader(access, filter, inStore, answerRows)
        : null;
  }

  /**
   * Reads a range of a row in which no other row contains a name of this row. The batch is used by
   * one thread at a time.
   */
  void read(RowEntry row, ColumnRange range, EventBatch.OfFields batch, QueryThread thread) {
    try {
      for (ColumnRange part : ranges(row, range, batch)) {
        if (!answerRows.isMissing(row.row())) {
          readPart(row, part, batch, thread);
        }
      }
    } catch (RuntimeException e) {
      if (!answerRows.mayMiss(row.row(), e)) {
        throw e;
      }
    }
  }

  private void readPart(
      RowEntry row, ColumnRange part, EventBatch.OfFields batch, QueryThread thread) {
    FieldQuery query = new FieldQuery(counted(row, part, batch.steps()), batch.fields(), inStore);
    long bytes = Math.min(bytes(row, batch), access.options().bufferBytes() / 2);
    access.account().take(bytes);
    try {
      FieldValues values = thread.await(access.store().values(query));
      count(values, batch.fields().size());
      for (int i = 0; i < values.size(); i++) {
        thread.worked(0);
        batch.take(values, i);
      }
      for (Columns columns : values.whole()) {
        takePayloads(columns, row.row().type(), batch, thread);
      }
    } finally {
      access.account().give(bytes);
    }
  }

  private void count(FieldValues values, int fields) {
    if (values.size() > 0 && fields > 0) {
      access.reads().addBytes(values.end(values.size() - 1, fields - 1));
    }
    values.whole().forEach(access.reads()::add);
  }

  /** Adds the payloads that pass the filter. */
  private void takePayloads(
      Columns columns, String type, EventBatch.OfFields batch, QueryThread thread) {
    for (int i = 0; i < columns.size(); i++) {
      thread.worked(columns.length(i));
      if (filter == null || filter.takes(type, columns, i)) {
        batch.take(columns, i);
      }
    }
  }

  private static CountQuery counted(RowEntry row, ColumnRange range, Steps steps) {
    return steps.isWhole()
        ? CountQuery.all(row.row()).of(row.row(), range)
        : new CountQuery(row.row(), range, steps.range().fromTicks(), steps.ticks());
  }

  private static long bytes(RowEntry row, EventBatch.OfFields batch) {
    long entryBytes = ENTRY_BYTES + (long) LENGTH_BYTES * batch.fields().size();
    return row.bytes() + entryBytes * row.columns();
  }

  private List<ColumnRange> ranges(RowEntry row, ColumnRange range, EventBatch.OfFields batch) {
    long partBytes = access.options().bufferBytes() / 2;
    long parts = Math.max(1, (bytes(row, batch) + partBytes - 1) / partBytes);
    long first = row.first().ticks();
    long step = (row.last().ticks() - first) / parts + 1;
    List<ColumnRange> ranges = new ArrayList<>();
    TimeUuid from = range.from();
    for (long part = 1; part < parts; part++) {
      TimeUuid to = TimeUuid.first(first + part * step);
      if (to.compareTo(from) > 0 && to.compareTo(range.to()) < 0) {
        ranges.add(new ColumnRange(from, to));
        from = to;
      }
    }
    ranges.add(new ColumnRange(from, range.to()));
    return ranges;
  }
}
