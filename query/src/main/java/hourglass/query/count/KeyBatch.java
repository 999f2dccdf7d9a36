package hourglass.query.count;

import hourglass.store.Columns;

/** Counts the groups of events by several fields. */
final class KeyBatch extends EventBatch {
  private final GroupKeys keys;
  private final TextGatherer texts;

  KeyBatch(GroupKeys keys, TextGatherer texts) {
    this.keys = keys;
    this.texts = texts;
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
