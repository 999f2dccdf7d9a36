package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.command.FigureText;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.Nanos;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A query that the benchmark times.
 *
 * @param expected the number of events that its answer must contain or count
 * @param found sends the query for the path, and returns how many events the answer contains or
 *     counts
 */
record BenchQuery(
    String name, String path, long expected, ToLongBiFunction<TargetClient, String> found) {
  private static final int NEWEST = 1_000;
  private static final String WHOLE = "&limit=all&format=ndjson";
  private static final Pattern TRACE = Pattern.compile("\"trace\":\"([0-9a-f]+)\"");

  /** Returns the queries over one hour. */
  static List<BenchQuery> of(Hour hour, long events, String type, long eventsOfType) {
    String all = "/api/v1/events?hour=" + hour;
    String newest = "&order=desc&format=ndjson&limit=" + NEWEST;
    long newestOfType = Math.min(NEWEST, eventsOfType);
    return List.of(
        lines("full hour, all types, in time order", all + WHOLE, events),
        lines("newest 1,000 of " + type, all + "&type=" + type + newest, newestOfType),
        lines("newest 1,000 of all types", all + newest, Math.min(NEWEST, events)),
        total("hits per minute and type", hits(hour, hour, "1m", ""), events));
  }

  /** Returns the queries about fields of the events of one hour. */
  static List<BenchQuery> ofFields(TargetClient client, Hour hour, long events) {
    String failed = where("data.status == 500");
    long failures = total(client, hits(hour, hour, "1m", failed));
    String ofHour = "?hour=" + hour;
    List<BenchQuery> queries = new ArrayList<>();
    queries.add(lines("data.status == 500", "/api/v1/events" + ofHour + WHOLE + failed, failures));
    queries.add(total("hits of data.status == 500", hits(hour, hour, "1m", failed), failures));
    String needle = needle(client, hour);
    if (needle != null) {
      long found = total(client, hits(hour, hour, "1m", needle));
      queries.add(lines("data.trace == ...", "/api/v1/events" + ofHour + WHOLE + needle, found));
      queries.add(total("hits of data.trace == ...", hits(hour, hour, "1m", needle), found));
    }
    queries.add(
        summary("stats of data.ms by type", "stats" + ofHour + "&field=data.ms&by=type", events));
    queries.add(summary("top data.path", "top" + ofHour + "&field=data.path", events));
    queries.add(summary("top data.host", "top" + ofHour + "&field=data.host", events));
    return queries;
  }

  /** Returns the queries over all hours, with the needle from the last. */
  static List<BenchQuery> ofAll(TargetClient client, Hour first, Hour last, long events) {
    List<BenchQuery> queries = new ArrayList<>();
    queries.add(total("all hours: hits per hour and type", hits(first, last, "1h", ""), events));
    String needle = needle(client, last);
    if (needle != null) {
      String hits = hits(first, last, "1h", needle);
      queries.add(total("all hours: hits of data.trace == ...", hits, total(client, hits)));
    }
    queries.add(
        summary(
            "all hours: stats of data.ms by type",
            "stats?" + range(first, last) + "&field=data.ms&by=type",
            events));
    return queries;
  }

  private static BenchQuery lines(String name, String path, long expected) {
    return new BenchQuery(name, path, expected, TargetClient::lines);
  }

  private static BenchQuery total(String name, String path, long expected) {
    return new BenchQuery(name, path, expected, BenchQuery::total);
  }

  /**
   * Returns a query whose numbers each summarize many events. The count is not checked, only that
   * answers have equal lengths.
   */
  private static BenchQuery summary(String name, String pathEnd, long events) {
    return new BenchQuery(name, "/api/v1/" + pathEnd, events, (client, path) -> events);
  }

  private static String hits(Hour first, Hour last, String step, String where) {
    return "/api/v1/hits?%s&step=%s&by=type%s".formatted(range(first, last), step, where);
  }

  private static String range(Hour first, Hour last) {
    return "from=%s&to=%s".formatted(first.start(), last.end());
  }

  private static String where(String expression) {
    return "&where=" + URLEncoder.encode(expression, StandardCharsets.UTF_8);
  }

  /**
   * Returns a condition that hardly more than one event meets, or null if events are too short to
   * contain one.
   */
  private static @Nullable String needle(TargetClient client, Hour hour) {
    Matcher trace =
        TRACE.matcher(client.text("/api/v1/events?hour=" + hour + "&limit=1&format=ndjson"));
    return trace.find() ? where("data.trace == \"" + trace.group(1) + "\"") : null;
  }

  /**
   * The times from the request to the last byte.
   *
   * @param bytes the length of one answer
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

    JsonObject figures() {
      return new JsonObject()
          .put("name", query.name)
          .put("path", query.path)
          .put("events", query.expected)
          .put("bytes", bytes)
          .put("median_ms", medianMillis())
          .put("best_ms", bestMillis())
          .put("worst_ms", worstMillis());
    }
  }

  /**
   * Times the query {@code repeats} times, after {@code untimed} times.
   *
   * @param untimed at least one, whose answer is checked; the rest are skipped once {@code stopped}
   * @throws LoadFailure if an answer does not contain the expected events
   */
  Timing time(TargetClient client, int untimed, int repeats, BooleanSupplier stopped, Nanos nanos) {
    long events = found.applyAsLong(client, path);
    if (events != expected) {
      throw new LoadFailure(
          FigureText.format(
              "%s: %,d events, want %,d (is the hour fresh?): %s", name, events, expected, path));
    }
    for (int i = 1; i < untimed && !stopped.getAsBoolean(); i++) {
      client.stream(path, part -> {});
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
            FigureText.format(
                "%s: %,d bytes after %,d before: %s", name, bytes[i], bytes[0], path));
      }
    }
    Arrays.sort(millis);
    return new Timing(this, millis, bytes[0]);
  }

  private static long total(TargetClient client, String path) {
    double total = client.figures(path).number("total");
    if (Double.isNaN(total)) {
      throw new LoadFailure("hits without a total");
    }
    return (long) total;
  }
}
