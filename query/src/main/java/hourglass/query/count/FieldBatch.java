package hourglass.query.count;

import hourglass.bytes.JsonPath;
import hourglass.query.Steps;
import hourglass.store.Columns;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Collects the values of one field. */
final class FieldBatch extends EventBatch.OfFields {
  private final FieldFinder field;
  private final Steps steps;
  private final JsonPath path;
  private final ValueSink values;

  /** The {@code steps} consist of one step. */
  FieldBatch(String name, Steps steps, BooleanSupplier gone, ValueSink values) {
    this.field = new PathFinder(name, gone);
    this.steps = steps;
    this.values = values;
    path = new JsonPath(name, gone);
  }

  @Override
  List<FieldFinder> fields() {
    return List.of(field);
  }

  @Override
  Steps steps() {
    return steps;
  }

  @Override
  void take(FieldValues found, int i) {
    int from = found.start(i, 0);
    int to = found.end(i, 0);
    if (to > from) {
      values.take(found.bytes(), from, to, found.count(i));
    } else {
      values.takeAbsent(found.count(i));
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
