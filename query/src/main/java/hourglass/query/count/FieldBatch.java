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
import hourglass.query.where.json.FieldPath;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Collects the values of a field and adds many at a time to a tally, so that parallel passes rarely
 * contend for it. Used by one thread at a time.
 */
public abstract class FieldBatch implements EventSink {
  private final FieldPath path;

  FieldBatch(String path, BooleanSupplier gone) {
    this.path = new FieldPath(path, gone);
  }

  public static CompletionStage<Void> read(
      Selection selection,
      StoreAccess access,
      AnswerRows answerRows,
      Function<String, FieldBatch> batch) {
    EventFilter filter = EventFilter.of(selection, access.gone());
    EventPass pass = new EventPass(access, EventPass.PASSES, filter, answerRows);
    return new DirectoryScan(access, EventPass.PASSES, answerRows)
        .forEachType(
            selection,
            rows -> {
              RowKey row = rows.get(0).row();
              FieldBatch filled = batch.apply(row.type());
              ColumnRange range = selection.range().within(row.hour());
              return pass.read(rows, range, Projection.COLUMNS, filled).thenRun(filled::flush);
            });
  }

  @Override
  public final Verdict offer(RowReader row, Columns columns, int i) {
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    if (path.find(bytes, from, from + columns.length(i))) {
      take(bytes, path.from(), path.to());
    } else {
      takeAbsent();
    }
    return Verdict.TAKEN;
  }

  /** Takes an event with a value in {@code [from, to)}. */
  abstract void take(byte[] bytes, int from, int to);

  abstract void takeAbsent();

  /** Adds the collected values to the tally; also called at the end. */
  abstract void flush();
}
