package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.Nanos;
import hourglass.load.event.LineSplitter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query that the benchmark times.
 *
 * @param expected events that its answer must hold or count
 */
record BenchQuery(String name, String path, long expected, boolean counting) {
  private static final int NEWEST = 1_000;

  static List<BenchQuery> of(Hour hour, long events, String type, long eventsOfType) {
    String all = "/api/v1/events?hour=" + hour;
    String newest = "&order=desc&format=ndjson&limit=" + NEWEST;
    String hits = "/api/v1/hits?from=%s&to=%s&step=1m&by=type".formatted(hour.start(), hour.end());
    long newestOfType = Math.min(NEWEST, eventsOfType);
    return List.of(
        new BenchQuery(
            "full hour, all types, in time order", all + "&limit=all&format=ndjson", events, false),
        new BenchQuery(
            "newest 1,000 of " + type, all + "&type=" + type + newest, newestOfType, false),
        new BenchQuery("newest 1,000 of all types", all + newest, Math.min(NEWEST, events), false),
        new BenchQuery("hits per minute and type", hits, events, true));
  }

  /**
   * Times from the request to the last byte.
   *
   * @param bytes of one answer
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  record Timing(BenchQuery query, double[] sortedMillis, long bytes) {
    double medianMillis() {
      int middle = sortedMillis.length / 2;
      return sortedMillis.length % 2 == 1
          ? sortedMillis[middle]
          : (sortedMillis[middle - 1] + sortedMillis[middle]) / 2;
    }

    double bestMillis() {
      return sortedMillis[0];
    }

    double worstMillis() {
      return sortedMillis[sortedMillis.length - 1];
    }

    Map<String, @Nullable Object> figures() {
      Map<String, @Nullable Object> figures = new LinkedHashMap<>();
      figures.put("name", query.name);
      figures.put("path", query.path);
      figures.put("events", query.expected);
      figures.put("bytes", bytes);
      figures.put("median_ms", medianMillis());
      figures.put("best_ms", bestMillis());
      figures.put("worst_ms", worstMillis());
      return figures;
    }
  }

  /**
   * Asks {@code repeats} times, after one that is not timed.
   *
   * @throws LoadFailure when an answer does not hold the expected events
   */
  Timing time(TargetClient client, int repeats, Nanos nanos) {
    long found = counting ? total(client) : lines(client);
    if (found != expected) {
      throw new LoadFailure(
          "%s: %,d events, want %,d (is the hour fresh?): %s"
              .formatted(name, found, expected, path));
    }
    double[] millis = new double[repeats];
    long[] bytes = new long[repeats];
    for (int i = 0; i < repeats; i++) {
      int repeat = i;
      long start = nanos.now();
      client.stream(path, part -> bytes[repeat] += part.length());
      millis[i] = (nanos.now() - start) / 1e6;
      if (bytes[i] != bytes[0]) {
        throw new LoadFailure(
            "%s: %,d bytes after %,d before: %s".formatted(name, bytes[i], bytes[0], path));
      }
    }
    Arrays.sort(millis);
    return new Timing(this, millis, bytes[0]);
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
