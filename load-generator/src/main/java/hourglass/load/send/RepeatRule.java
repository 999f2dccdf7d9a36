package hourglass.load.send;

import hourglass.bytes.LineBreaks;
import hourglass.load.client.Batch;
import hourglass.load.event.JsonTimes;
import hourglass.load.event.Mapping;
import java.io.IOException;

/** Says which batches may be sent again when it is unknown whether they are stored. */
@FunctionalInterface
public interface RepeatRule {
  /** Whether a repeat of the batch stores nothing twice. Thread-safe; may ask the target. */
  boolean isSafe(Batch batch);

  /**
   * A rule that reads the events: each needs a time (else it gets another one), and an identity,
   * its own id or an Idempotency-Key.
   */
  static RepeatRule ofEvents(Mapping mapping, boolean hasKeys) {
    return batch -> areIdentified(batch, mapping.extractor(), hasKeys);
  }

  private static boolean areIdentified(Batch batch, Mapping.Extractor event, boolean hasKeys) {
    byte[] lines = batch.lines().getBytes();
    int from = 0;
    while (from < lines.length) {
      int end = LineBreaks.lineFeed(lines, from, lines.length);
      try {
        if (event.read(lines, from, end)
            && (event.ticks() == JsonTimes.NONE || !hasKeys && event.id().isEmpty())) {
          return false;
        }
      } catch (IOException notJson) {
        // Rejected, however often it is sent.
      }
      from = end + 1;
    }
    return true;
  }
}
