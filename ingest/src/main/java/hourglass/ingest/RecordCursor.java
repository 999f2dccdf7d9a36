package hourglass.ingest;

import org.jspecify.annotations.Nullable;

/** One item a record; what is wrong with one says nothing about the others. */
final class RecordCursor extends BodyCursor {
  private final RecordBatch batch;

  RecordCursor(RecordBatch batch) {
    super(batch.body());
    this.batch = batch;
  }

  @Override
  protected boolean seek(JsonScanner json) {
    int record = index() + 1;
    if (record == batch.size()) {
      return false;
    }
    at = json.space(b, afterMark(batch.from(record), batch.to(record)));
    return true;
  }

  @Override
  boolean pass(JsonScanner json, int end) {
    int i = json.space(b, end);
    if (i >= batch.to(index())) {
      return true;
    }
    json.fail(i, "nothing more");
    return false;
  }

  @Override
  protected int end() {
    return batch.to(index());
  }

  @Override
  void passBroken(JsonScanner json) {
    at = batch.to(index());
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
