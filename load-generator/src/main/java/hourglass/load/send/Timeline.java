package hourglass.load.send;

import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The events and the largest latency by interval of a run. When all intervals are used, each two
 * neighbours are merged. Thread-safe.
 */
final class Timeline {
  /** The most intervals. More points would not be visible in a chart. */
  private static final int INTERVALS_MAX = 600;

  private final long startNanos;
  private final long[] events = new long[INTERVALS_MAX];
  private final long[] latencyMicrosMax = new long[INTERVALS_MAX];
  private int seconds = 1;
  private int used;

  Timeline(long startNanos) {
    this.startNanos = startNanos;
  }

  synchronized void add(long nanos, long moreEvents, long latencyMicros) {
    long second = Math.max(0, nanos - startNanos) / 1_000_000_000;
    while (second / seconds >= INTERVALS_MAX) {
      halve();
    }
    int interval = (int) (second / seconds);
    used = Math.max(used, interval + 1);
    events[interval] += moreEvents;
    latencyMicrosMax[interval] = Math.max(latencyMicrosMax[interval], latencyMicros);
  }

  private void halve() {
    int half = INTERVALS_MAX / 2;
    for (int i = 0; i < half; i++) {
      events[i] = events[2 * i] + events[2 * i + 1];
      latencyMicrosMax[i] = Math.max(latencyMicrosMax[2 * i], latencyMicrosMax[2 * i + 1]);
    }
    Arrays.fill(events, half, INTERVALS_MAX, 0);
    Arrays.fill(latencyMicrosMax, half, INTERVALS_MAX, 0);
    seconds *= 2;
    used = (used + 1) / 2;
  }

  synchronized JsonObject figures() {
    LongStream latencies = LongStream.of(latencyMicrosMax).limit(used);
    return new JsonObject()
        .put("interval_seconds", seconds)
        .put("events_by_interval", LongStream.of(events).limit(used).boxed().toList())
        .put("latency_max_ms_by_interval", latencies.mapToObj(micros -> micros / 1e3).toList());
  }
}
