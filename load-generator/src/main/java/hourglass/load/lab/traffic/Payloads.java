package hourglass.load.lab.traffic;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import hourglass.bucketing.Ticks;
import hourglass.load.send.ByteText;
import hourglass.load.send.EventShape;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Payloads for the events of a schedule: made-up JSON of exactly the size that the schedule says,
 * cut off where that is too small. An event and its repeats have the same. Not for several threads.
 */
public final class Payloads {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final Schedule schedule;
  private final Map<Integer, EventShape> shapes = new HashMap<>();
  private final Map<String, byte[]> types = new HashMap<>();
  private final ByteText text = new ByteText(1 << 10);

  public Payloads(Schedule schedule) {
    this.schedule = schedule;
  }

  /** The payload of an event: the first {@link Schedule#bytes} of it, good until the next call. */
  public byte[] of(int event) {
    int size = schedule.bytes(event);
    text.clear();
    EventShape shape = shapes.computeIfAbsent(size, bytes -> new EventShape(1, 0, bytes));
    byte[] type = types.computeIfAbsent(schedule.type(event), Payloads::quoted);
    long epochMicros = (schedule.ticks(event) - Ticks.UNIX_EPOCH) / 10;
    shape.write(text, type, epochMicros, new SplittableRandom(schedule.original(event) * GOLDEN));
    while (text.length() < size) {
      text.append(' ');
    }
    return text.array();
  }

  private static byte[] quoted(String type) {
    return JsonStringEncoder.getInstance().quoteAsUTF8(type);
  }
}
