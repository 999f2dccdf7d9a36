package hourglass.ingest;

import hourglass.bucketing.Identity;
import org.jspecify.annotations.Nullable;

/** The records of a batch; named by topic, partition and offset. */
final class RecordItems extends Items {
  private final RecordBatch batch;

  RecordItems(RecordBatch batch) {
    super(batch.body(), batch.mapping(), new RecordCursor(batch));
    this.batch = batch;
  }

  @Override
  void begin(EventDecoder decoder) {
    decoder.unlessTyped(batch.topic());
  }

  @Override
  void prepare(EventDecoder decoder) {
    int record = cursor().index();
    decoder.format(batch.isCloudEvent(record) ? BodyFormat.CLOUDEVENTS : BodyFormat.JSON);
    decoder.unlessTimed(batch.ticks(record));
  }

  @Override
  @Nullable String unreadable() {
    return batch.unreadable(cursor().index());
  }

  @Override
  long lsb(Identity identity, int end) {
    return identity.ofRecord(batch.topic(), batch.partition(), batch.offset(cursor().index()));
  }

  /** Each one goes to a dead-letter topic with its reason. */
  @Override
  int toldMax(IngestOptions options) {
    return Integer.MAX_VALUE;
  }
}
