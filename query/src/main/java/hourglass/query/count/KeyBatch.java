package hourglass.query.count;

import hourglass.query.Steps;
import hourglass.store.Columns;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import java.util.List;

/** Counts the groups of events. */
final class KeyBatch extends EventBatch.OfFields {
  private final GroupKeys keys;
  private final Steps steps;
  private final TextGatherer texts;

  /** The {@code steps} consist of one step. */
  KeyBatch(GroupKeys keys, Steps steps, TextGatherer texts) {
    this.keys = keys;
    this.steps = steps;
    this.texts = texts;
  }

  @Override
  List<FieldFinder> fields() {
    return keys.fields();
  }

  @Override
  Steps steps() {
    return steps;
  }

  @Override
  void take(FieldValues values, int i) {
    texts.add(keys.of(values, i), values.count(i));
  }

  @Override
  void take(Columns columns, int i) {
    texts.add(keys.of(columns, i), 1);
  }

  @Override
  void flush() {
    texts.flush();
  }
}
