package hourglass.load.lab;

import hourglass.bucketing.Ticks;
import hourglass.bytes.Json;
import hourglass.bytes.JsonText;
import hourglass.load.send.EventShape;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Makes up the payloads of events. Not thread-safe. */
final class EventPayloads {
  private final EventShape shape = new EventShape(1, 0, Event.BYTES);
  private final Map<String, byte[]> types = new HashMap<>();
  private final JsonText text = new JsonText();

  /**
   * Returns an array whose first {@link Event#BYTES} contain made-up JSON. An event and its repeats
   * have the same payload. The array is valid until the next call.
   */
  byte[] of(Event event) {
    text.clear();
    byte[] type =
        types.computeIfAbsent(
            event.type(), name -> Json.escaped(name).getBytes(StandardCharsets.UTF_8));
    long epochMicros = (event.ticks() - Ticks.UNIX_EPOCH) / 10;
    shape.write(text, type, epochMicros, new SplittableRandom(event.original() * Event.GOLDEN));
    while (text.length() < Event.BYTES) {
      text.raw(' ');
    }
    return text.bytes();
  }
}
