package hourglass.load.send;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.load.client.Batch;
import hourglass.load.event.JsonTimes;
import hourglass.load.event.Lines;
import hourglass.load.event.Mapping;
import java.io.IOException;

/**
 * Whether a batch of unknown fate can be sent again: every event must have a time (else it gets
 * another one), and an identity, its own id or that of the Idempotency-Key.
 */
record RetrySafety(Mapping mapping, boolean keyed) {
  private static final JsonFactory JSON = new JsonFactory();

  boolean isSafe(Batch batch) {
    Mapping.Extractor event = mapping.extractor();
    byte[] lines = batch.lines().getBytes();
    int from = 0;
    while (from < lines.length) {
      int end = Lines.indexOfBreak(lines, from, lines.length);
      if (!isSafe(event, lines, from, end)) {
        return false;
      }
      from = end + 1;
    }
    return true;
  }

  private boolean isSafe(Mapping.Extractor event, byte[] lines, int from, int end) {
    try (JsonParser parser = JSON.createParser(lines, from, end - from)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        event.read(parser);
        return event.ticks() != JsonTimes.NONE && (keyed || !event.id().isEmpty());
      }
    } catch (IOException notJson) {
      return true; // it is rejected, however often it is sent
    }
    return true;
  }
}
