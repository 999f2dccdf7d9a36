package hourglass.query.loki;

import hourglass.bytes.JsonPath;
import hourglass.bytes.Spans;
import hourglass.query.SampleReader;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogQl;
import hourglass.query.logql.Metric;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValues;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The filters of log queries by the processor time of their thread: nanoseconds an event, for a
 * reader of payloads, for a reader of lines, for a store that has the values of fields, and for
 * samples of these values by two labels. It is the median of several rounds, after as many for
 * warm-up, in turns. Run {@link #main} with the number of rounds.
 */
final class LogCost {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int EVENTS = 100_000;

  private static final String[] QUERIES = {
    "{app=\"web\"}",
    "{app!=\"web\", env=~\"p|q\"}",
    "{app=\"web\"} | json | ms > 900",
    "{service_name=\"t\"} | json | status >= 400 and ms < 100 or user=\"u7\"",
    "{service_name=\"t\"} | json | path=~\"/items/7[0-9]\"",
    "{level=\"error\"}",
    "{service_name=\"t\"} | detected_level=\"error\"",
    "{service_name=\"t\"} | detected_level=\"error\" | json | status >= 480",
    "{app=\"web\"} |= \"items/77\"",
    "{app=\"web\"} | json |= \"items/77\"",
    "{service_name=\"t\"} |= \"items/77\" | json | path=~\"/items/77[0-9]\"",
    "{service_name=\"t\"} | logfmt | ms > 900",
    "{app=\"web\"} | logfmt | ms > 900 |= \"error\"",
  };

  private final Columns events = events();

  private LogCost() {}

  public static void main(String[] args) {
    int rounds = args.length == 0 ? 5 : Integer.parseInt(args[0]);
    LogCost cost = new LogCost();
    long[][] ofReader = new long[QUERIES.length][2 * rounds];
    long[][] ofLines = new long[QUERIES.length][2 * rounds];
    long[][] ofStore = new long[QUERIES.length][2 * rounds];
    long[][] ofSampler = new long[QUERIES.length][2 * rounds];
    for (int round = 0; round < 2 * rounds; round++) {
      for (int q = 0; q < QUERIES.length; q++) {
        LogFilter filter = LogFilter.of(LogQl.parseSelector(QUERIES[q]), StreamLabels.STANDARD);
        ofReader[q][round] = cost.ofReader(filter);
        ofLines[q][round] = cost.ofLines(filter);
        ofStore[q][round] = cost.ofStore(filter.fields());
        ofSampler[q][round] = cost.ofSampler(filter);
      }
    }
    for (int q = 0; q < QUERIES.length; q++) {
      System.out.printf(
          "%,6d ns  %,6d ns  %,6d ns  %,6d ns   %s%n",
          median(ofReader[q], rounds),
          median(ofLines[q], rounds),
          median(ofStore[q], rounds),
          median(ofSampler[q], rounds),
          QUERIES[q]);
    }
  }

  private static long median(long[] all, int rounds) {
    long[] measured = Arrays.copyOfRange(all, rounds, 2 * rounds);
    Arrays.sort(measured);
    return measured[rounds / 2];
  }

  private long ofReader(LogFilter filter) {
    long begun = THREADS.getCurrentThreadCpuTime();
    int taken = 0;
    for (int i = 0; i < EVENTS; i++) {
      taken += filter.takes("t", events, i, () -> false) ? 1 : 0;
    }
    return nanos(begun, taken);
  }

  private long ofLines(LogFilter filter) {
    long begun = THREADS.getCurrentThreadCpuTime();
    int taken = 0;
    for (int i = 0; i < EVENTS; i++) {
      taken += filter.run("t", events, i, () -> false, line -> line) == null ? 0 : 1;
    }
    return nanos(begun, taken);
  }

  /** The places of fields are found before, as a page finds them once for a shape. */
  private long ofStore(FieldFilter filter) {
    if (filter == null) {
      return 0;
    }
    Spans[] places = new Spans[EVENTS];
    for (int i = 0; i < EVENTS; i++) {
      int from = events.offset(i);
      places[i] = filter.find(events.bytes(), from, from + events.length(i));
    }
    long begun = THREADS.getCurrentThreadCpuTime();
    int taken = 0;
    for (int n = 0; n < 5; n++) {
      for (Spans of : places) {
        if (of != null) {
          boolean mayMatch = filter.mayMatch(events.bytes(), of);
          taken += mayMatch && filter.surelyMatches(events.bytes(), of) ? 1 : 0;
        }
      }
    }
    return nanos(begun, taken) / 5;
  }

  private long ofSampler(LogFilter filter) {
    LineSampler sampler =
        new LineSampler(
            filter,
            Metric.RangeFunction.COUNT_OVER_TIME,
            null,
            new Metric.Grouping(false, List.of("app", "level")),
            () -> false);
    List<String> fields = sampler.fields();
    if (fields == null) {
      return 0;
    }
    FieldValues values = new FieldValues(fields.size());
    for (int i = 0; i < EVENTS; i++) {
      Spans places = new Spans(fields.size());
      for (int field = 0; field < fields.size(); field++) {
        JsonPath path = new JsonPath(fields.get(field), () -> false);
        int from = events.offset(i);
        if (path.find(events.bytes(), from, from + events.length(i))) {
          places.set(field, path.from(), path.to());
        }
      }
      values.add(0, events.bytes(), places, 1);
    }
    SampleReader.OfType<Labels> reader = sampler.of("t");
    long begun = THREADS.getCurrentThreadCpuTime();
    int taken = 0;
    for (int n = 0; n < 5; n++) {
      for (int i = 0; i < EVENTS; i++) {
        taken += reader.read(values, i) == null ? 0 : 1;
      }
    }
    return nanos(begun, taken) / 5;
  }

  private static long nanos(long begun, int taken) {
    long nanos = THREADS.getCurrentThreadCpuTime() - begun;
    return taken < 0 ? 0 : nanos / EVENTS;
  }

  private static Columns events() {
    Random random = new Random(1);
    ColumnsBuilder events = new ColumnsBuilder(EVENTS, 200 * EVENTS);
    for (int i = 0; i < EVENTS; i++) {
      byte[] payload = payload(random).getBytes(StandardCharsets.UTF_8);
      events.add(i, i, payload, 0, payload.length);
    }
    return events.build();
  }

  private static String payload(Random random) {
    String labels =
        "\"labels\":{\"app\":\"%s\",\"env\":\"%s\",\"level\":\"%s\"}"
            .formatted(
                random.nextBoolean() ? "web" : "db",
                random.nextInt(4) == 0 ? "p" : "test",
                random.nextInt(8) == 0 ? "error" : "info");
    String members =
        "\"path\":\"/items/%d\",\"status\":%d,\"ms\":%d,\"user\":\"u%d\",\"host\":\"web-%02d.example.org\""
            .formatted(
                random.nextInt(10_000),
                200 + random.nextInt(300),
                random.nextInt(1000),
                random.nextInt(1000),
                random.nextInt(100));
    return switch (random.nextInt(3)) {
      case 0 -> "{\"_loki\":{%s},%s}".formatted(labels, members);
      case 1 -> "{%s}".formatted(members);
      default ->
          "{\"message\":\"path=/items/%d status=%d ms=%d an error\",%s}"
              .formatted(
                  random.nextInt(10_000), 200 + random.nextInt(300), random.nextInt(1000), labels);
    };
  }
}
