package hourglass.query.count;

import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.query.where.json.FieldPath;
import hourglass.store.Columns;
import java.util.function.BooleanSupplier;

/**
 * Gathers what a field of each event has, to hand many at a time to those who sum up: passes that
 * run side by side then seldom meet. Used by one thread at a time.
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

  /** An event with a value in {@code [from, to)}. */
  abstract void take(byte[] bytes, int from, int to);

  /** An event without the field. */
  abstract void takeAbsent();

  /** Hands on what was gathered; at the end, too. */
  abstract void flush();
}
