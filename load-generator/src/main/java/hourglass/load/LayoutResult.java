package hourglass.load;

import org.jspecify.annotations.Nullable;

/**
 * How a layout fared.
 *
 * @param name of the layout
 * @param written events that were written, repeats included
 * @param failed events that were given up
 * @param seconds from the start to the last write's end
 * @param latencies null where nothing was timed
 * @param trouble the first that made an event fail
 */
record LayoutResult(
    String name,
    Schedule schedule,
    Placing placing,
    long written,
    long failed,
    double seconds,
    @Nullable LatencyLog latencies,
    @Nullable String trouble) {
  double eventsPerSecond() {
    return written / Math.max(seconds, 1e-9);
  }
}
