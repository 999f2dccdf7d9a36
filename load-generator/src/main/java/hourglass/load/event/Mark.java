package hourglass.load.event;

import hourglass.bucketing.TimeUuid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The parts of an event that are compared between answers. */
public record Mark(TimeUuid id, String type, long payloadDigest) {
  public static Mark of(StoredEvent event) {
    return new Mark(event.id(), event.type(), event.dataDigest());
  }

  /** By id as Cassandra compares it, then by type as bytes. */
  public int compareOrder(Mark other) {
    int order = id.compareTo(other.id);
    return order != 0 || type.equals(other.type)
        ? order
        : Arrays.compareUnsigned(
            type.getBytes(StandardCharsets.UTF_8), other.type.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return id + " " + type;
  }
}
