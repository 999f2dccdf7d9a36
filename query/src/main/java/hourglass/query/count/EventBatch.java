package hourglass.query.count;

import hourglass.bucketing.RowKey;
import hourglass.query.Selection;
import hourglass.query.filter.EventFilter;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.RowReader;
import hourglass.query.scan.StoreAccess;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Collects what the events of a type hour have in their payloads, and adds up many at a time, so
 * that parallel passes rarely contend for a tally. Used by one thread at a time.
 */
abstract class EventBatch implements EventSink {

  /** Reads all selected events into batches, one for each type hour. */
  static CompletionStage<Void> read(
      Selection selection,
      StoreAccess access,
      AnswerRows answerRows,
      Function<String, EventBatch> batchOfType) {
    return read(selection, access, answerRows, TimeSample.ALL, batchOfType);
  }

  static CompletionStage<Void> read(
      Selection selection,
      StoreAccess access,
      AnswerRows answerRows,
      TimeSample sample,
      Function<String, EventBatch> batchOfType) {
    EventFilter filter = EventFilter.of(selection, access.gone());
    EventPass pass = new EventPass(access, EventPass.PASSES, filter, answerRows);
    boolean isByFields = filter == null && access.store().keepsFieldsApart();
    return new DirectoryScan(access, EventPass.PASSES, answerRows)
        .forEachType(
            selection,
            rows -> {
              RowKey row = rows.get(0).row();
              EventBatch batch = batchOfType.apply(row.type());
              Function<ColumnRange, CompletionStage<?>> read =
                  isByFields && batch instanceof FieldBatch ofField
                      ? range -> ofField.read(rows, range, pass, access, answerRows)
                      : range -> pass.read(rows, range, Projection.COLUMNS, batch);
              ColumnRange whole = selection.range().within(row.hour());
              return FanOut.forEach(sample.of(whole), 1, access, read).thenRun(batch::flush);
            });
  }

  @Override
  public final Verdict offer(RowReader row, Columns columns, int i) {
    take(columns, i);
    return Verdict.TAKEN;
  }

  /** Takes the event of column {@code i}. Within a row, times ascend. */
  abstract void take(Columns columns, int i);

  /** Adds up what was taken; also called at the end. */
  abstract void flush();
}
