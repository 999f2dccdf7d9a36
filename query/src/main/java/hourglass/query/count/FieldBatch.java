package hourglass.query.count;

import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.StoreAccess;
import hourglass.query.scan.UnsharedRanges;
import hourglass.query.where.json.FieldPath;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Collects the values of one field. A store that keeps fields apart need not return payloads. */
final class FieldBatch extends EventBatch {
  private final String name;
  private final BooleanSupplier gone;
  private final FieldPath path;
  private final ValueSink values;

  FieldBatch(String name, BooleanSupplier gone, ValueSink values) {
    this.name = name;
    this.gone = gone;
    this.values = values;
    path = new FieldPath(name, gone);
  }

  /** Reads the field alone where no other row may have an event of a row. */
  CompletionStage<?> read(
      List<RowEntry> rows,
      ColumnRange range,
      EventPass pass,
      StoreAccess access,
      AnswerRows answerRows) {
    UnsharedRanges.Rows split = UnsharedRanges.Rows.of(rows);
    return new FieldValuesReader(access, answerRows)
        .read(split.apart(), range, this)
        .thenCompose(
            done ->
                split.others().isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : pass.read(split.others(), range, Projection.COLUMNS, this));
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

  void take(FieldValues ofField) {
    for (int i = 0; i < ofField.size(); i++) {
      values.take(ofField.bytes(), ofField.start(i), ofField.end(i), ofField.count(i));
    }
    values.takeAbsent(ofField.absent());
    for (Columns columns : ofField.whole()) {
      for (int i = 0; i < columns.size(); i++) {
        take(columns, i);
      }
    }
  }

  @Override
  void take(Columns columns, int i) {
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    if (path.find(bytes, from, from + columns.length(i))) {
      values.take(bytes, path.from(), path.to(), 1);
    } else {
      values.takeAbsent(1);
    }
  }

  @Override
  void flush() {
    values.flush();
  }
}
