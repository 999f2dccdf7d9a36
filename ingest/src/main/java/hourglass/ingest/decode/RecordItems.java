package hourglass.ingest.decode;

import org.jspecify.annotations.Nullable;

/** One item a record. A broken record does not affect the others. */
final class RecordItems extends ItemCursor {
  private final RecordBatch batch;

  /** CloudEvents have their own fields, unlike the topic's other records. */
  private final FieldMapping ofCloudEvents;

  RecordItems(RecordBatch batch) {
    super(batch.body(), batch.mapping());
    this.batch = batch;
    FieldMapping own = FieldMapping.DEFAULT;
    this.ofCloudEvents =
        new FieldMapping(own.typeField(), own.timeField(), own.idField(), batch.mapping().type());
  }

  @Override
  void begin(EventDecoder decoder) {
    decoder.defaultType(batch.topic());
  }

  @Override
  void prepare(EventDecoder decoder) {
    int record = index();
    if (batch.isCloudEvent(record)) {
      decoder.format(BodyFormat.CLOUDEVENTS, ofCloudEvents);
    } else {
      decoder.format(BodyFormat.JSON, mapping());
    }
    decoder.defaultTime(batch.ticks(record));
  }

  @Override
  @Nullable String unreadable() {
    return batch.unreadable(index());
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
}
