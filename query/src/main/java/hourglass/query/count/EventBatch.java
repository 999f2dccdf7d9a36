package hourglass.query.count;

import hourglass.bucketing.RowKey;
import hourglass.query.Selection;
import hourglass.query.filter.EventFilter;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.EventSink;
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

  /** Reads the selected events into batches, one for each type hour. */
  static CompletionStage<Void> read(
      Selection selection,
      StoreAccess access,
      AnswerRows answerRows,
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
              ColumnRange range = selection.range().within(row.hour());
              CompletionStage<?> read =
                  isByFields && batch instanceof FieldBatch ofField
                      ? ofField.read(rows, range, pass, access, answerRows)
                      : pass.read(rows, range, Projection.COLUMNS, batch);
              return read.thenRun(batch::flush);
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
