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
import hourglass.query.scan.UnsharedRanges;
import hourglass.query.where.json.FieldPath;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Collects the values of a field and adds many at a time to a tally, so that parallel passes rarely
 * contend for it. Used by one thread at a time.
 */
public abstract class FieldBatch implements EventSink {
  private final String name;
  private final BooleanSupplier gone;
  private final FieldPath path;

  FieldBatch(String name, BooleanSupplier gone) {
    this.name = name;
    this.gone = gone;
    path = new FieldPath(name, gone);
  }

  public static CompletionStage<Void> read(
      Selection selection,
      StoreAccess access,
      AnswerRows answerRows,
      Function<String, FieldBatch> batch) {
    EventFilter filter = EventFilter.of(selection, access.gone());
    EventPass pass = new EventPass(access, EventPass.PASSES, filter, answerRows);
    boolean isByFields = filter == null && access.store().keepsFieldsApart();
    return new DirectoryScan(access, EventPass.PASSES, answerRows)
        .forEachType(
            selection,
            rows -> {
              RowKey row = rows.get(0).row();
              FieldBatch filled = batch.apply(row.type());
              ColumnRange range = selection.range().within(row.hour());
              UnsharedRanges.Rows split =
                  isByFields
                      ? UnsharedRanges.Rows.of(rows)
                      : new UnsharedRanges.Rows(List.of(), rows);
              return new FieldValuesReader(access, answerRows)
                  .read(split.apart(), range, filled)
                  .thenCompose(
                      done ->
                          split.others().isEmpty()
                              ? CompletableFuture.completedFuture(null)
                              : pass.read(split.others(), range, Projection.COLUMNS, filled))
                  .thenRun(filled::flush);
            });
  }

  /** The field at the path, for stores that keep fields apart. */
  FieldFinder finder() {
    return new FieldFinder() {
      @Override
      public int[] find(byte[] payload, int from, int to) {
        FieldPath found = new FieldPath(name, gone);
        return found.find(payload, from, to) ? new int[] {found.from(), found.to()} : new int[2];
      }

      @Override
      public boolean isOfPayload() {
        return name.indexOf('.') < 0;
      }
    };
  }

  void take(FieldValues values) {
    for (int i = 0; i < values.size(); i++) {
      take(values.bytes(), values.start(i), values.end(i), values.count(i));
    }
    takeAbsent(values.absent());
    for (Columns columns : values.whole()) {
      for (int i = 0; i < columns.size(); i++) {
        take(columns, i);
      }
    }
  }

  @Override
  public final Verdict offer(RowReader row, Columns columns, int i) {
    take(columns, i);
    return Verdict.TAKEN;
  }

  private void take(Columns columns, int i) {
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    if (path.find(bytes, from, from + columns.length(i))) {
      take(bytes, path.from(), path.to(), 1);
    } else {
      takeAbsent(1);
    }
  }

  /** Takes events with the value in {@code [from, to)}. */
  abstract void take(byte[] bytes, int from, int to, int events);

  abstract void takeAbsent(long events);

  /** Adds the collected values to the tally; also called at the end. */
  abstract void flush();
}
