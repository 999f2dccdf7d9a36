package hourglass.bucketing;

/**
 * One event: what an application said, when, and under which name. The payload is the bytes as they
 * came and must not be changed.
 *
 * @param type the event type; see {@link EventType#check}
 * @param id the column name, which holds the event's time
 * @param payload the event's bytes; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // identity is (type, id); nobody compares events whole
public record Event(String type, TimeUuid id, byte[] payload) {

  /** The row of this event, for a shard that a {@link ShardPolicy} chose. */
  public RowKey row(int shard) {
    return new RowKey(id.hour(), type, shard);
  }
}
