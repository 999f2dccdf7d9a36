package hourglass.query.loki.http;

import hourglass.bucketing.Ticks;
import hourglass.query.AnswerFacts;
import hourglass.query.BadParameterException;
import hourglass.query.Counted;
import hourglass.query.Gaps;
import hourglass.query.Grouped;
import hourglass.query.Grouping;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.SampleReader;
import hourglass.query.Samples;
import hourglass.query.Samples.Figure;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.fair.QueryThread;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.Metric;
import hourglass.query.logql.Metric.Aggregate;
import hourglass.query.logql.Metric.Aggregation;
import hourglass.query.logql.Metric.Binary;
import hourglass.query.logql.Metric.Constant;
import hourglass.query.logql.Metric.Range;
import hourglass.query.logql.Metric.RangeFunction;
import hourglass.query.loki.Labels;
import hourglass.query.loki.LineSampler;
import hourglass.query.loki.LogFilter;
import hourglass.query.loki.Vector;
import hourglass.query.loki.Vector.Series;
import hourglass.query.service.QueryService;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Metric queries at the times of an answer, computed from counts and samples in steps. The length
 * of a step is the greatest common divisor of the distance of times and of the range before each.
 *
 * <pre>
 * times             t0      t1      t2          every 2 steps
 * steps     |---|---|---|---|---|---|
 * range         |-----------|                   of t1: 3 steps, open at its start
 * </pre>
 */
record LokiMetrics(QueryService on, QueryThread thread, StreamLabels rules, Times times) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * The most steps that are added up for one answer. Their work takes half a second, like that of
   * {@link #TALLIES_MAX} tallies for quantiles.
   */
  private static final long ADDENDS_MAX = 50_000_000;

  static final long TALLIES_MAX = 50_000;

  /** The most cells of the tallies of one answer, each counted as often as it is merged. */
  private static final long CELLS_MAX = 20_000_000;

  /**
   * The {@code count} times from a tick on. The range of a time is {@code (time - range, time]}.
   *
   * @param isInstant whether it is a single time, whose step means nothing
   */
  record Times(long startTicks, long stepMillis, int count, boolean isInstant) {
    long ticks(int time) {
      return startTicks + time * stepMillis * Ticks.PER_MILLI;
    }

    /** Returns the range that may contain events, to estimate the work. */
    TimeRange range(long beforeTicks) {
      long from = startTicks - beforeTicks + 1;
      long to = ticks(count - 1) + 1;
      TimeRange all = TimeRange.ALL;
      if (from < all.fromTicks() || to > all.toTicks()) {
        throw new BadParameterException("start, end, time: want times in 2000-2099");
      }
      return new TimeRange(from, to);
    }
  }

  /**
   * Returns the range function of a metric query, to estimate its work; null if the query is
   * constant.
   */
  static @Nullable Range rangeOf(Metric metric) {
    if (metric instanceof Range range) {
      return range;
    }
    if (metric instanceof Aggregate aggregate) {
      return rangeOf(aggregate.of());
    }
    if (metric instanceof Binary binary) {
      Range a = rangeOf(binary.a());
      return a == null ? rangeOf(binary.b()) : a;
    }
    return null;
  }

  static long ticks(Range range) {
    return range.rangeNanos() / NANOS_PER_MILLI * Ticks.PER_MILLI;
  }

  /** Whether a query is a number without a time, rather than a series without labels. */
  static boolean isScalar(Metric metric) {
    return metric instanceof Constant constant && !constant.isVector()
        || metric instanceof Binary binary && isScalar(binary.a()) && isScalar(binary.b());
  }

  static double scalar(Metric metric) {
    return metric instanceof Constant constant
        ? constant.value()
        : metric instanceof Binary binary
            ? binary.operator().of(scalar(binary.a()), scalar(binary.b()))
            : 0;
  }

  private static boolean isConstant(Metric metric) {
    return rangeOf(metric) == null;
  }

  Counted<Vector> run(Metric metric) {
    if (isConstant(metric)) {
      Series series = new Series(Labels.NONE, times.count());
      for (int t = 0; t < times.count(); t++) {
        series.put(t, scalar(metric));
      }
      return new Counted<>(new Vector(List.of(series)), AnswerFacts.of(Gaps.NONE));
    }
    if (metric instanceof Range range) {
      return range(range, range.grouping());
    }
    if (metric instanceof Binary binary) {
      boolean isLeft = isConstant(binary.a());
      double constant = scalar(isLeft ? binary.a() : binary.b());
      return map(
          run(isLeft ? binary.b() : binary.a()),
          vector ->
              vector.map(
                  value ->
                      isLeft
                          ? binary.operator().of(constant, value)
                          : binary.operator().of(value, constant)));
    }
    Aggregate aggregate = (Aggregate) metric;
    if (aggregate.of() instanceof Range range && isSumOf(range, aggregate)) {
      return range(range, by(aggregate));
    }
    return map(run(aggregate.of()), vector -> vector.aggregate(aggregate));
  }

  private static boolean isSumOf(Range range, Aggregate aggregate) {
    return aggregate.aggregation() == Aggregation.SUM && addsUp(range);
  }

  private static Metric.Grouping by(Aggregate aggregate) {
    Metric.Grouping by = aggregate.grouping();
    return by == null ? new Metric.Grouping(false, List.of()) : by;
  }

  /** Whether the headers of pages answer a query, since it counts the events of types. */
  static boolean isOfHeaders(Metric metric, StreamLabels rules) {
    if (metric instanceof Binary binary) {
      return isOfHeaders(isConstant(binary.a()) ? binary.b() : binary.a(), rules);
    }
    if (metric instanceof Aggregate aggregate) {
      return aggregate.of() instanceof Range range && isSumOf(range, aggregate)
          ? isOfHeaders(range, by(aggregate), rules)
          : isOfHeaders(aggregate.of(), rules);
    }
    return metric instanceof Constant
        || metric instanceof Range range && isOfHeaders(range, range.grouping(), rules);
  }

  private static boolean isOfHeaders(
      Range range, Metric.@Nullable Grouping grouping, StreamLabels rules) {
    return LogFilter.of(range.lines(), rules).isOfTypes() && isCountOfTypes(range, grouping);
  }

  private static Counted<Vector> map(Counted<Vector> vector, UnaryOperator<Vector> change) {
    return new Counted<>(change.apply(vector.value()), vector.facts());
  }

  /** Whether the sum of the values of groups is the value of the groups together. */
  private static boolean addsUp(Range range) {
    return switch (range.function()) {
      case COUNT_OVER_TIME, RATE, BYTES_OVER_TIME, BYTES_RATE, SUM_OVER_TIME -> true;
      case AVG_OVER_TIME, MIN_OVER_TIME, MAX_OVER_TIME, QUANTILE_OVER_TIME -> false;
    };
  }

  private Counted<Vector> range(Range range, Metric.@Nullable Grouping grouping) {
    long rangeMillis = range.rangeNanos() / NANOS_PER_MILLI;
    long stepMillis =
        times.isInstant()
            ? rangeMillis
            : BigInteger.valueOf(rangeMillis)
                .gcd(BigInteger.valueOf(times.stepMillis()))
                .longValue();
    TimeRange all = times.range(rangeMillis * Ticks.PER_MILLI);
    Windows windows =
        new Windows(
            times.isInstant() ? 0 : (int) Math.min(times.stepMillis() / stepMillis, 1 << 30),
            (int) Math.min(rangeMillis / stepMillis, 1 << 30));
    LogFilter filter = LogFilter.of(range.lines(), rules);
    if (filter.isOfTypes() && isCountOfTypes(range, grouping)) {
      Selection selection = new Selection(all, filter.ofTypes());
      boolean byType = grouping != null && !grouping.names().isEmpty();
      HitsQuery hits =
          new HitsQuery(selection, stepMillis, byType ? Grouping.OF_TYPES : Grouping.NONE);
      Counted<Hits> counted = on.hits(hits, false, thread);
      return new Counted<>(ofHits(counted.value(), range, windows), counted.facts());
    }
    LineSampler sampler =
        new LineSampler(filter, range.function(), range.unwrap(), grouping, on.gone());
    Selection selection = new Selection(all, sampler.candidates());
    Figure figure =
        switch (range.function()) {
          case MIN_OVER_TIME -> Figure.MIN;
          case MAX_OVER_TIME -> Figure.MAX;
          case QUANTILE_OVER_TIME -> Figure.QUANTILES;
          default -> Figure.SUM;
        };
    Counted<Samples<Labels>> counted =
        on.samples(new SampleReader.Query<>(selection, stepMillis, sampler, figure), thread);
    return new Counted<>(ofSamples(counted.value(), range, windows), counted.facts());
  }

  private static boolean isCountOfTypes(Range range, Metric.@Nullable Grouping grouping) {
    boolean isCount =
        range.function() == RangeFunction.COUNT_OVER_TIME || range.function() == RangeFunction.RATE;
    return isCount
        && range.unwrap() == null
        && grouping != null
        && !grouping.without()
        && List.of(StreamLabels.SERVICE).containsAll(grouping.names());
  }

  /**
   * The steps of each time.
   *
   * @param distance number of steps between two times
   * @param length number of steps before each time
   */
  private record Windows(int distance, int length) {
    int from(int time) {
      return time * distance;
    }

    int to(int time) {
      return time * distance + length;
    }
  }

  private double perSecond(Range range, double value) {
    boolean isRate =
        range.function() == RangeFunction.RATE || range.function() == RangeFunction.BYTES_RATE;
    return isRate ? value / (range.rangeNanos() / 1e9) : value;
  }

  private Vector ofHits(Hits hits, Range range, Windows windows) {
    List<Series> all = new ArrayList<>();
    for (Grouped.Series<long[]> group : hits.series().series()) {
      Labels labels =
          group.group().isOfTypeAlone()
              ? Labels.of(StreamLabels.SERVICE, group.group().parts().get(0).text())
              : Labels.NONE;
      long[] before = new long[group.value().length + 1]; // counts before each step
      for (int step = 0; step < group.value().length; step++) {
        before[step + 1] = before[step] + group.value()[step];
      }
      Series series = new Series(labels, times.count());
      for (int t = 0; t < times.count(); t++) {
        long count = before[windows.to(t)] - before[windows.from(t)];
        if (count > 0) {
          series.put(t, perSecond(range, (double) count));
        }
      }
      all.add(series);
    }
    return Vector.of(all);
  }

  private Vector ofSamples(Samples<Labels> samples, Range range, Windows windows) {
    boolean isQuantile = range.function() == RangeFunction.QUANTILE_OVER_TIME;
    long addends = (long) samples.series().size() * times.count() * windows.length;
    if (addends > (isQuantile ? TALLIES_MAX : ADDENDS_MAX)) {
      throw new BadParameterException(
          ("query: %d series at %d times of %d steps each take too long; want fewer of them, or a"
                  + " shorter range")
              .formatted(samples.series().size(), times.count(), windows.length));
    }
    if (isQuantile) {
      checkCells(samples, windows);
    }
    List<Series> all = new ArrayList<>();
    samples
        .series()
        .forEach(
            (labels, kept) -> {
              Series series = new Series(labels, times.count());
              for (int t = 0; t < times.count(); t++) {
                checkIsWanted();
                int from = windows.from(t);
                int to = windows.to(t);
                long count = kept.count(from, to);
                if (count > 0) {
                  double value =
                      isQuantile
                          ? kept.quantile(from, to, range.quantile())
                          : kept.figure(from, to);
                  boolean isMean = range.function() == RangeFunction.AVG_OVER_TIME;
                  series.put(t, perSecond(range, isMean ? value / count : value));
                }
              }
              all.add(series);
            });
    return Vector.of(all);
  }

  private void checkCells(Samples<Labels> samples, Windows windows) {
    long sum = 0;
    for (Samples.Series kept : samples.series().values()) {
      checkIsWanted();
      long[] before = kept.cells();
      for (int t = 0; t < times.count(); t++) {
        sum += before[windows.to(t)] - before[windows.from(t)];
      }
    }
    if (sum > CELLS_MAX) {
      throw new BadParameterException(
          ("query: quantiles of %d distinct numbers, counted in each range again, take too long;"
                  + " want fewer times or series, a shorter range, or a step as long as the range")
              .formatted(sum));
    }
  }

  private void checkIsWanted() {
    if (on.gone().getAsBoolean()) {
      throw new CancellationException("the client gave the query up");
    }
  }
}
