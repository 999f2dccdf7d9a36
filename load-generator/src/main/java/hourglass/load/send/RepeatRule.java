package hourglass.load.send;

import hourglass.bytes.LineBreaks;
import hourglass.load.client.Batch;
import hourglass.load.event.JsonTimes;
import hourglass.load.event.Mapping;
import java.io.IOException;

/** Decides which batches may be sent again if it is unknown whether they are stored. */
@FunctionalInterface
public interface RepeatRule {
  /**
   * Returns whether a repeat of the batch stores nothing twice. Thread-safe; may ask the target.
   */
  boolean isSafe(Batch batch);

  /**
   * Returns a rule that reads the events. Each event needs a time, because it would get another one
   * otherwise, and an identity: its own id or an Idempotency-Key.
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
        // A line that is not JSON is rejected, however often it is sent.
      }
      from = end + 1;
    }
    return true;
  }
}
