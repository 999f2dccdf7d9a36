package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadFailure;
import hourglass.load.event.LineSplitter;
import java.util.List;

/**
 * A query that the benchmark times.
 *
 * @param expected events that its answer must hold or count
 */
record BenchQuery(String name, String path, long expected, boolean counting) {
  private static final int NEWEST = 1_000;

  static List<BenchQuery> of(Hour hour, long events, String type, long eventsOfType) {
    String in = "hour=" + hour;
    String newest = "&order=desc&format=ndjson&limit=" + NEWEST;
    return List.of(
        new BenchQuery(
            "full hour, all types, in time order",
            "/api/v1/events?" + in + "&limit=all&format=ndjson",
            events,
            false),
        new BenchQuery(
            "newest 1,000 of " + type,
            "/api/v1/events?" + in + "&type=" + type + newest,
            Math.min(NEWEST, eventsOfType),
            false),
        new BenchQuery(
            "newest 1,000 of all types",
            "/api/v1/events?" + in + newest,
            Math.min(NEWEST, events),
            false),
        new BenchQuery(
            "hits per minute and type",
            "/api/v1/hits?from=%s&to=%s&step=1m&by=type".formatted(hour.start(), hour.end()),
            events,
            true));
  }

  /**
   * Asks once without timing.
   *
   * @throws LoadFailure when the answer does not hold the expected events
   */
  void check(TargetClient client) {
    long found = counting ? total(client) : lines(client);
    if (found != expected) {
      throw new LoadFailure(
          "%s: %,d events, want %,d (is the hour fresh?): %s"
              .formatted(name, found, expected, path));
    }
  }

  private long lines(TargetClient client) {
    long[] lines = new long[1];
    client.stream(path, new LineSplitter((bytes, from, to) -> lines[0]++));
    return lines[0];
  }

  private long total(TargetClient client) {
    double total = client.figures(path).number("total");
    if (Double.isNaN(total)) {
      throw new LoadFailure("hits without a total");
    }
    return (long) total;
  }
}
