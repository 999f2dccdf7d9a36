package hourglass.query.count;

import hourglass.query.Steps;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.store.Columns;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import java.util.List;

/**
 * Collects values from the payloads of the events of a type hour, and adds up many at a time, so
 * that parallel passes rarely contend for a tally. Used by one thread at a time.
 */
abstract class EventBatch implements EventSink {
  /** A batch that needs only some fields of an event. */
  abstract static class OfFields extends EventBatch {
    abstract List<FieldFinder> fields();

    /** The steps by which the events are counted. */
    abstract Steps steps();

    /** Adds entry {@code i} of the values of {@link #fields}. */
    abstract void take(FieldValues values, int i);
  }

  @Override
  public final Verdict offer(RowReader row, Columns columns, int i) {
    take(columns, i);
    return Verdict.TAKEN;
  }

  /** Adds the event of column {@code i}. Within a row, times ascend. */
  abstract void take(Columns columns, int i);

  /** Adds up the events so far; also called at the end. */
  abstract void flush();
}
