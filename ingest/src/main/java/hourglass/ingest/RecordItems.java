package hourglass.ingest;

import hourglass.bucketing.Identity;
import org.jspecify.annotations.Nullable;

/** The records of a batch; named by topic, partition and offset. */
final class RecordItems extends Items {
  private final RecordBatch batch;

  /** A CloudEvent says itself what it is, whatever the fields of the topic's other records. */
  private final FieldMapping ofCloudEvents;

  private boolean hashed;
  private long source;

  RecordItems(RecordBatch batch) {
    super(batch.body(), batch.mapping(), new RecordCursor(batch));
    this.batch = batch;
    FieldMapping own = FieldMapping.DEFAULT;
    this.ofCloudEvents =
        new FieldMapping(own.typeField(), own.timeField(), own.idField(), batch.mapping().type());
  }

  @Override
  void begin(EventDecoder decoder) {
    decoder.unlessTyped(batch.topic());
  }

  @Override
  void prepare(EventDecoder decoder) {
    int record = cursor().index();
    if (batch.isCloudEvent(record)) {
      decoder.format(BodyFormat.CLOUDEVENTS, ofCloudEvents);
    } else {
      decoder.format(BodyFormat.JSON, batch.mapping());
    }
    decoder.unlessTimed(batch.ticks(record));
  }

  @Override
  @Nullable String unreadable() {
    return batch.unreadable(cursor().index());
  }

  @Override
  long lsb(Identity identity, int end) {
    if (!hashed) {
      source = identity.ofPartition(batch.topic(), batch.partition());
      hashed = true;
    }
    return Identity.offset(source, batch.offset(cursor().index()));
  }

  /** Each one goes to a dead-letter topic with its reason. */
  @Override
  int toldMax(IngestOptions options) {
    return Integer.MAX_VALUE;
  }
}
