package hourglass.query.count;

import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.query.where.json.FieldPath;
import hourglass.store.Columns;
import java.util.function.BooleanSupplier;

/**
 * Collects the values of a field and adds many at a time to a tally, so that parallel passes rarely
 * contend for it. Used by one thread at a time.
 */
public abstract class FieldBatch implements EventSink {
  private final FieldPath path;

  FieldBatch(String path, BooleanSupplier gone) {
    this.path = new FieldPath(path, gone);
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
