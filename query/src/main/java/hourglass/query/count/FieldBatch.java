package hourglass.query.count;

import hourglass.query.Selection;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.query.where.json.FieldPath;
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

  /**
   * Reads a field of all selected events into batches, one for each type hour.
   *
   * @param batch creates a batch for a type
   */
  public static CompletionStage<Void> read(
      Selection selection,
      DirectoryScan hours,
      EventPass pass,
      Function<String, FieldBatch> batch) {
    return hours.forEachType(
        selection,
        rows -> {
          FieldBatch filled = batch.apply(rows.get(0).row().type());
          return pass.read(
                  rows,
                  selection.range().within(rows.get(0).row().hour()),
                  Projection.COLUMNS,
                  filled)
              .thenRun(filled::flush);
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
