package hourglass.ingest;

import org.jspecify.annotations.Nullable;

/** One item a record; what is wrong with one says nothing about the others. */
final class RecordCursor extends BodyCursor {
  private final RecordValues values;
  private final int size;

  RecordCursor(RecordBatch batch) {
    super(batch.values().body());
    this.values = batch.values();
    this.size = batch.size();
  }

  @Override
  protected boolean seek(JsonScanner json) {
    int record = index() + 1;
    if (record == size) {
      return false;
    }
    at = json.space(b, afterMark(values.from(record), values.to(record)));
    return true;
  }

  @Override
  boolean pass(JsonScanner json, int end) {
    int i = json.space(b, end);
    if (i >= values.to(index())) {
      return true;
    }
    json.fail(i, "nothing more");
    return false;
  }

  @Override
  protected int end() {
    return values.to(index());
  }

  @Override
  void passBroken(JsonScanner json) {
    at = values.to(index());
  }

  @Override
  @Nullable String broken() {
    return null;
  }

  @Override
  @Nullable String brokenAhead(JsonScanner json) {
    return null;
  }
}
