package hourglass.load.send;

import hourglass.bytes.JsonText;
import java.util.SplittableRandom;

/** The form of generated events. */
@FunctionalInterface
public interface EventForm {
  /** Writes an event as JSON, and a line break. */
  void write(JsonText out, long epochMicros, SplittableRandom random);
}
