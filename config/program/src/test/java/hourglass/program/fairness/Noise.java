package hourglass.program.fairness;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;

/**
 * The behaviour of a noisy client, on a number of connections, repeated as soon as it is answered.
 */
enum Noise {
  NOTHING(0, number -> Request.get("/health/live")),
  LARGE_PUSHES(4, number -> Request.push(events(number, 2_000, i -> "noise"))),
  SINGLE_PUSHES(32, number -> Request.push(events(number, 1, i -> "noise"))),
  HEAVY_FILTERS(
      32, number -> Request.get(hour("events", "limit=10&where=" + encoded(unmatched(number))))),
  LARGE_VALUES(
      16,
      number ->
          Request.get(
              "/api/v1/events?hour=" + Campaign.LARGE_HOUR + "&type=large&where=" + slowPattern())),
  LARGE_VALUES_BY_LOGQL(
      16,
      number ->
          Request.get(
              logQl(
                  "query_range",
                  Campaign.LARGE_HOUR,
                  "{service_name=\"large\"} |~ \"" + "(a?){20}b\""))),
  FULL_READS(8, number -> Request.get(hour("events", "limit=all&format=ndjson"))),
  SLOW_READS(100, number -> Request.getSlowly(hour("events", "limit=all&format=ndjson"))),
  TAILS(100, number -> Request.get("/api/v1/tail?where=" + encoded("data.ms > 1e9"))),
  LOGQL_SUMS(
      16,
      number ->
          Request.get(
              logQl(
                  "query_range",
                  Campaign.HOUR,
                  "sum by (host) (count_over_time({service_name=~\".+\"} |~ \"x"
                      + number
                      + "[0-9]+y\" | json [1m]))"))),
  /** The last, since the server keeps the types of an hour in memory. */
  NEW_TYPES(4, number -> Request.push(events(number, 1_000, i -> "new-" + number + "-" + i)));

  /** How a request is made and read. */
  record Request(String path, String body, boolean isReadSlowly) {
    static Request get(String path) {
      return new Request(path, "", false);
    }

    static Request getSlowly(String path) {
      return new Request(path, "", true);
    }

    static Request push(String lines) {
      return new Request("/api/v1/events", lines, false);
    }
  }

  private final int connections;
  private final LongFunction<Request> requests;

  Noise(int connections, LongFunction<Request> requests) {
    this.connections = connections;
    this.requests = requests;
  }

  int connections() {
    return connections;
  }

  /** The request of this number; numbers begin at a random place, so that no answer is known. */
  Request request(long number) {
    return requests.apply(number);
  }

  private static String events(long number, int count, LongFunction<String> type) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append(
          "{\"type\":\"%s\",\"level\":\"info\",\"host\":\"web-%d\",\"ms\":%d,\"text\":\"noise %d\"}%n"
              .formatted(type.apply(i), i % 40, i % 900, number));
    }
    return lines.toString();
  }

  /** Matches no event, and each must be looked at. */
  private static String unmatched(long number) {
    return "data.path.matches('^/(api|web)/.*/x%d[0-9]+/.*y$') || data.host.size() == 1"
        .formatted(number);
  }

  private static String slowPattern() {
    return encoded("data.s.matches('(a?){20}b')");
  }

  private static String hour(String question, String more) {
    return "/api/v1/" + question + "?hour=" + Campaign.HOUR + "&" + more;
  }

  private static String logQl(String question, String hour, String query) {
    return "/loki/api/v1/%s?query=%s&start=%s:00:00Z&end=%s:59:59Z&step=60s"
        .formatted(question, encoded(query), hour, hour);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
