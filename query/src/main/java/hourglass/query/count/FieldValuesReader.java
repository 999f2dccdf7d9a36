package hourglass.query.count;

import hourglass.bucketing.TimeUuid;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.StoreAccess;
import hourglass.store.ColumnRange;
import hourglass.store.FieldQuery;
import hourglass.store.RowEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads the values of a field from a store that keeps fields apart, row by row. It reads large rows
 * in ranges. Each range fits into a query's buffer, provided that the row's events are spread
 * evenly.
 */
final class FieldValuesReader {
  /** A value's length in an answer and its count. */
  private static final int VALUE_BYTES = 8;

  private final StoreAccess access;
  private final AnswerRows answerRows;

  FieldValuesReader(StoreAccess access, AnswerRows answerRows) {
    this.access = access;
    this.answerRows = answerRows;
  }

  /** The rows have no name in common; the batch is used by one thread at a time. */
  CompletionStage<Void> read(List<RowEntry> rows, ColumnRange range, FieldBatch batch) {
    return FanOut.forEach(rows, 1, access, row -> read(row, range, batch));
  }

  private CompletionStage<?> read(RowEntry row, ColumnRange range, FieldBatch batch) {
    return FanOut.forEach(ranges(row, range), 1, access, part -> readPart(row, part, batch))
        .exceptionallyCompose(
            failure ->
                answerRows.mayMiss(row.row(), failure)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletionStage<?> readPart(RowEntry row, ColumnRange part, FieldBatch batch) {
    if (answerRows.isMissing(row.row())) {
      return CompletableFuture.completedFuture(null);
    }
    long bytes = Math.min(bytes(row), access.options().bufferBytes() / 2);
    return access
        .account()
        .during(
            bytes,
            () ->
                access
                    .store()
                    .values(new FieldQuery(row.row(), part, batch.finder()))
                    .thenAcceptAsync(batch::take, access.executor()));
  }

  private static long bytes(RowEntry row) {
    return row.bytes() + VALUE_BYTES * row.columns();
  }

  private List<ColumnRange> ranges(RowEntry row, ColumnRange range) {
    long parts = Math.max(1, 2 * bytes(row) / access.options().bufferBytes());
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
