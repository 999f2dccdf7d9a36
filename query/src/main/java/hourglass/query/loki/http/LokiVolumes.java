package hourglass.query.loki.http;

import hourglass.query.Counted;
import hourglass.query.Grouped;
import hourglass.query.Grouping;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.TypeCount;
import hourglass.query.http.PreparedQuery.Work;
import hourglass.query.line.StreamLabels;
import hourglass.query.loki.Labels;
import hourglass.query.loki.LogFilter;
import hourglass.query.loki.Vector;
import hourglass.query.loki.Vector.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Requests for the sizes of streams, which are those of types. Immutable.
 *
 * @param rules which fields are labels
 */
record LokiVolumes(StreamLabels rules) {
  Work stats(LokiRequest asked) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOrAll(), rules);
    Selection selection = new Selection(asked.parameters().range(), filter.ofTypes());
    return LokiWork.of(
        selection, false, (on, thread) -> on.types(selection, false, thread), LokiAnswers::stats);
  }

  Work volume(LokiRequest asked) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOfTypes(), rules);
    TimeRange range = asked.parameters().range();
    Selection selection = new Selection(range, filter.ofTypes());
    int limit = asked.parameters().limit();
    LokiMetrics.Times end = new LokiMetrics.Times(range.toTicks(), 1, 1, true);
    return LokiWork.of(
        selection,
        false,
        (on, thread) -> on.types(selection, false, thread),
        counted ->
            LokiAnswers.vector(
                new Counted<>(
                    new Vector(
                        largest(counted.value(), limit).stream()
                            .map(type -> series(type, new double[] {type.bytes()}))
                            .toList()),
                    counted.facts()),
                end));
  }

  private static List<TypeCount> largest(List<TypeCount> types, int limit) {
    return types.stream()
        .sorted(Comparator.comparingLong((TypeCount type) -> -type.bytes()))
        .limit(limit)
        .toList();
  }

  private static Series series(TypeCount type, double[] values) {
    Series series = new Series(Labels.of(StreamLabels.SERVICE, type.type()), values.length);
    for (int t = 0; t < values.length; t++) {
      if (values[t] > 0) {
        series.put(t, values[t]);
      }
    }
    return series;
  }

  /**
   * Returns the volumes of types in steps. The bytes of a step are estimated as if all events of a
   * type had the same length.
   */
  Work volumeRange(LokiRequest asked) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOfTypes(), rules);
    LokiMetrics.Times times = asked.parameters().times();
    times.range(0); // refuses other centuries
    int limit = asked.parameters().limit();
    TimeRange range =
        new TimeRange(
            times.startTicks(),
            Math.min(asked.parameters().range().toTicks(), times.ticks(times.count())));
    Selection selection = new Selection(range, filter.ofTypes());
    HitsQuery hits = new HitsQuery(selection, times.stepMillis(), Grouping.OF_TYPES);
    return LokiWork.of(
        selection,
        false,
        (on, thread) ->
            LokiWork.join(
                on.types(selection, false, thread),
                on.hits(hits, false, thread),
                (types, counted) -> volumes(types, counted, times, limit)),
        counted -> LokiAnswers.matrix(counted, times));
  }

  private static Vector volumes(
      List<TypeCount> types, Hits hits, LokiMetrics.Times times, int limit) {
    Map<String, long[]> counts =
        hits.series().series().stream()
            .collect(
                Collectors.toMap(one -> one.group().parts().get(0).text(), Grouped.Series::value));
    List<Series> all = new ArrayList<>();
    for (TypeCount type : largest(types, limit)) {
      long[] ofType = counts.getOrDefault(type.type(), new long[0]);
      double[] bytes = new double[times.count()];
      for (int t = 0; t < Math.min(bytes.length, ofType.length); t++) {
        bytes[t] = Math.rint((double) type.bytes() / type.count() * ofType[t]);
      }
      all.add(series(type, bytes));
    }
    return Vector.of(all);
  }
}
