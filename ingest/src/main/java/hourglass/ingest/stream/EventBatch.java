package hourglass.ingest.stream;

import hourglass.access.Client;
import hourglass.ingest.decode.StreamBatch;
import java.util.List;

/**
 * Events of a stream that are written together.
 *
 * @param client that may push them
 * @param onEnd runs, on any thread, when each event is stored or rejected, or the batch is dropped
 */
public record EventBatch(StreamBatch events, Client client, Runnable onEnd) {
  public int size() {
    return events.size();
  }

  /** Two parts, in order: the end of the second is that of the whole. */
  public List<EventBatch> halves() {
    int size = events.size();
    return List.of(
        new EventBatch(events.part(0, size / 2), client, () -> {}),
        new EventBatch(events.part(size / 2, size), client, onEnd));
  }
}
