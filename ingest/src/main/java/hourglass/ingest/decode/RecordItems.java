package hourglass.ingest.decode;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.Utf8;
import org.jspecify.annotations.Nullable;

/** The records of a topic. A broken record does not affect the others. Not thread-safe. */
final class RecordItems extends ItemCursor {
  private final RecordBatch batch;

  /** The fields of CloudEvents, which differ from those of the topic's other records. */
  private final FieldMapping ofCloudEvents;

  RecordItems(RecordBatch batch) {
    super(
        batch.body(),
        BodyFormat.JSON,
        new ItemRules(batch.mapping, batch.topic, false, null, IdentityRule.NONE));
    this.batch = batch;
    this.isRecord = true;
    this.ofCloudEvents = FieldMapping.of(part -> part.equals("type") ? batch.mapping.type() : null);
  }

  @Override
  String zoneRemedy() {
    return "it has no zone; want one, such as Z or +01:00";
  }

  @Override
  @Nullable Refusal refusal() {
    String problem = batch.unreadable(index());
    return problem == null ? null : new Refusal(Reason.BODY_UNREADABLE, problem);
  }

  @Override
  boolean seek(JsonScanner json) {
    int record = index() + 1;
    if (record == batch.size()) {
      return false;
    }
    isCloudEvent = batch.isCloudEvent(record);
    mapping = isCloudEvent ? ofCloudEvents : rules.mapping();
    ticks = batch.ticks(record);
    at = json.space(b, Utf8.afterMark(b, batch.from(record), batch.to(record)));
    return true;
  }

  @Override
  int end() {
    return batch.to(index());
  }
}
