package hourglass.ingest.stream;

import hourglass.access.Client;
import hourglass.ingest.decode.StreamBatch;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Events of a client's stream that are written together.
 *
 * @param client the client, which may push them
 * @param onEnd runs, on any thread, when each event is stored or rejected, or the batch is dropped
 */
public record ClientBatch(StreamBatch events, Client client, Runnable onEnd) {
  public int size() {
    return events.size();
  }

  /** Returns two parts, in order. The whole ends when both have ended. */
  public List<ClientBatch> halves() {
    int size = events.size();
    AtomicInteger parts = new AtomicInteger(2);
    Runnable onPartEnd =
        () -> {
          if (parts.decrementAndGet() == 0) {
            onEnd.run();
          }
        };
    return List.of(
        new ClientBatch(events.part(0, size / 2), client, onPartEnd),
        new ClientBatch(events.part(size / 2, size), client, onPartEnd));
  }
}
