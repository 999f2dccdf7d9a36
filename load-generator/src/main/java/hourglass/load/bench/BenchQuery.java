package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.command.FigureText;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.Nanos;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A query that the benchmark times.
 *
 * @param expected asks how many events its answer must contain or count
 * @param found sends the query for the path, and returns how many events the answer contains or
 *     counts
 */
record BenchQuery(
    String name,
    String path,
    ToLongFunction<TargetClient> expected,
    ToLongBiFunction<TargetClient, String> found) {
  /** The number of answers after the first whose median is that of the later ones. */
  static final int LATER = 3;

  private static final int NEWEST = 1_000;
  private static final String WHOLE = "&limit=all&format=ndjson";
  private static final Pattern TRACE = Pattern.compile("\"trace\":\"([0-9a-f]+)\"");

  /** Returns the queries over one hour. */
  static List<BenchQuery> of(Hour hour, long events, String type, long eventsOfType) {
    String all = "/api/v1/events?hour=" + hour;
    String newest = "&order=desc&format=ndjson&limit=" + NEWEST;
    long newestOfType = Math.min(NEWEST, eventsOfType);
    long newestOfAll = Math.min(NEWEST, events);
    return List.of(
        lines("full hour, all types, in time order", all + WHOLE, client -> events),
        lines("newest 1,000 of " + type, all + "&type=" + type + newest, client -> newestOfType),
        lines("newest 1,000 of all types", all + newest, client -> newestOfAll),
        total("hits per minute and type", hits(hour, hour, "1m", ""), client -> events));
  }

  /** Returns the queries about fields of the events of one hour. */
  static List<BenchQuery> ofFields(TargetClient client, Hour hour, long events) {
    List<BenchQuery> queries = new ArrayList<>();
    addSelected("data.status == 500", where("data.status == 500"), hour, queries);
    String needle = needle(client, hour);
    if (needle != null) {
      addSelected("data.trace == ...", needle, hour, queries);
    }
    String ofHour = "?hour=" + hour;
    queries.add(
        unchecked("stats of data.ms by type", "stats" + ofHour + "&field=data.ms&by=type", events));
    queries.add(unchecked("top data.path", "top" + ofHour + "&field=data.path", events));
    queries.add(unchecked("top data.host", "top" + ofHour + "&field=data.host", events));
    return queries;
  }

  /** Adds the events that meet a condition and their counts, which must agree. */
  private static void addSelected(String name, String where, Hour hour, List<BenchQuery> queries) {
    String hits = hits(hour, hour, "1m", where);
    String events = "/api/v1/events?hour=" + hour + WHOLE + where;
    queries.add(lines(name, events, client -> total(client, hits)));
    queries.add(total("hits of " + name, hits, client -> client.lines(events)));
  }

  /** Returns the queries over all hours, with the needle from the last. */
  static List<BenchQuery> ofAll(TargetClient client, Hour first, Hour last, long events) {
    List<BenchQuery> queries = new ArrayList<>();
    String all = hits(first, last, "1h", "");
    queries.add(total("all hours: hits per hour and type", all, answer -> events));
    String needle = needle(client, last);
    if (needle != null) {
      String found = "/api/v1/events?" + range(first, last) + WHOLE + needle;
      queries.add(
          total(
              "all hours: hits of data.trace == ...",
              hits(first, last, "1h", needle),
              answer -> answer.lines(found)));
    }
    queries.add(
        unchecked(
            "all hours: stats of data.ms by type",
            "stats?" + range(first, last) + "&field=data.ms&by=type",
            events));
    return queries;
  }

  private static BenchQuery lines(String name, String path, ToLongFunction<TargetClient> expected) {
    return new BenchQuery(name, path, expected, TargetClient::lines);
  }

  private static BenchQuery total(String name, String path, ToLongFunction<TargetClient> expected) {
    return new BenchQuery(name, path, expected, BenchQuery::total);
  }

  /**
   * Returns a query whose events are not counted. Only the lengths of its answers are compared.
   *
   * @param events how many it is about
   */
  static BenchQuery unchecked(String name, String pathEnd, long events) {
    return new BenchQuery(name, "/api/v1/" + pathEnd, client -> events, (client, path) -> events);
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
   * Times the first answer, the next {@link #LATER}, and {@code repeats} more after {@code untimed}
   * in all. The answer is checked after the first ones.
   *
   * @param stopped if it is true, the untimed answers are skipped
   * @throws LoadFailure if an answer does not contain the expected events, or its length changes
   */
  AnswerTimes time(
      TargetClient client, int untimed, int repeats, BooleanSupplier stopped, Nanos nanos) {
    Timer timer = new Timer(client, nanos);
    double first = timer.sorted(1)[0];
    double later = AnswerTimes.median(timer.sorted(LATER));
    long events = checked(client);
    for (int i = 1 + LATER; i < untimed && !stopped.getAsBoolean(); i++) {
      client.stream(path, part -> {});
    }
    double[] last = timer.sorted(repeats);
    return new AnswerTimes(this, first, later, last, events, timer.bytes);
  }

  /** Returns the number of events after a check of the answer. */
  private long checked(TargetClient client) {
    long events = found.applyAsLong(client, path);
    long wanted = expected.applyAsLong(client);
    if (events != wanted) {
      throw new LoadFailure(
          FigureText.format(
              "%s: %,d events, want %,d (is the hour fresh?): %s", name, events, wanted, path));
    }
    return events;
  }

  /** Asks the query and checks that all answers have one length. */
  private final class Timer {
    private final TargetClient client;
    private final Nanos nanos;

    /** The length of the first answer; negative before. */
    private long bytes = -1;

    Timer(TargetClient client, Nanos nanos) {
      this.client = client;
      this.nanos = nanos;
    }

    /** Returns the milliseconds of some answers, ascending. */
    double[] sorted(int answers) {
      double[] millis = new double[answers];
      for (int i = 0; i < answers; i++) {
        long[] length = new long[1];
        long start = nanos.now();
        client.stream(path, part -> length[0] += part.length());
        millis[i] = (nanos.now() - start) / 1e6;
        bytes = bytes < 0 ? length[0] : bytes;
        if (length[0] != bytes) {
          throw new LoadFailure(
              FigureText.format(
                  "%s: %,d bytes after %,d before: %s", name, length[0], bytes, path));
        }
      }
      Arrays.sort(millis);
      return millis;
    }
  }

  private static long total(TargetClient client, String path) {
    double total = client.figures(path).number("total");
    if (Double.isNaN(total)) {
      throw new LoadFailure("hits without a total");
    }
    return (long) total;
  }
}
