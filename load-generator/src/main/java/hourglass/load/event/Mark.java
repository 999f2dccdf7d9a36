package hourglass.load.event;

import hourglass.bucketing.TimeUuid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One event of an answer, as far as two answers are compared: its place in the order, its payload.
 */
public record Mark(TimeUuid id, String type, long payloadDigest) {
  public static Mark of(StoredEvent event) {
    return new Mark(event.id(), event.type(), Digest64.of(event.data(), 0, event.data().length));
  }

  /** The total order of answers: by id as Cassandra compares it, then by type as bytes. */
  public int compareOrder(Mark other) {
    int order = id.compareTo(other.id);
    return order != 0 ? order : compareTypes(type, other.type);
  }

  private static int compareTypes(String a, String b) {
    return a.equals(b)
        ? 0
        : Arrays.compareUnsigned(
            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return id + " " + type;
  }
}
