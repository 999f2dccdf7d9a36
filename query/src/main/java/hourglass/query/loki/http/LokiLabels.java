package hourglass.query.loki.http;

import hourglass.query.AnswerFacts;
import hourglass.query.Counted;
import hourglass.query.Fields;
import hourglass.query.FieldsQuery;
import hourglass.query.Gaps;
import hourglass.query.SampleReader;
import hourglass.query.Samples;
import hourglass.query.Samples.Figure;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.TypeCount;
import hourglass.query.fair.QueryThread;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.http.PreparedQuery.Work;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogSelector;
import hourglass.query.logql.Metric;
import hourglass.query.logql.Metric.RangeFunction;
import hourglass.query.loki.Labels;
import hourglass.query.loki.LineSampler;
import hourglass.query.loki.LogFilter;
import hourglass.query.loki.StreamReader;
import hourglass.query.service.QueryService;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Requests for the names and values of labels, and for the streams. Immutable.
 *
 * @param rules which fields are labels
 */
record LokiLabels(StreamLabels rules) {
  Work labels(LokiRequest asked) {
    return ofFields(
        asked,
        cardinalities -> LokiAnswers.list(cardinalities.value().keySet(), cardinalities.facts()));
  }

  Work detectedLabels(LokiRequest asked) {
    return ofFields(asked, LokiAnswers::detectedLabels);
  }

  /** Returns the labels and the numbers of their values, from a sample of the events. */
  private Work ofFields(
      LokiRequest asked, Function<Counted<Map<String, Long>>, Iterator<Part>> toParts) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOrAll(), rules);
    Selection selection = new Selection(asked.parameters().range(), filter);
    Selection types = new Selection(selection.range(), filter.ofTypes());
    FieldsQuery fields = new FieldsQuery(selection, "", FieldsQuery.N_MAX, true);
    return LokiWork.of(
        selection,
        true,
        (on, thread) ->
            LokiWork.join(
                on.types(types, false, thread),
                on.fields(fields, false, thread),
                (counted, found) -> labels(counted.size(), found)),
        toParts);
  }

  private Map<String, Long> labels(int types, Fields fields) {
    TreeMap<String, Long> labels = new TreeMap<>();
    for (Fields.Field field : fields.fields()) {
      String label = rules.labelOf(field.path());
      if (label != null && field.summary().distinct() > 0) {
        labels.merge(label, field.summary().distinct(), Math::max);
      }
    }
    if (types > 0) {
      labels.put(StreamLabels.SERVICE, (long) types);
    }
    return labels;
  }

  Work labelValues(LokiRequest asked) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOrAll(), rules);
    TimeRange range = asked.parameters().range();
    String name = asked.name();
    if (name.equals(StreamLabels.SERVICE) && filter.isOfTypes()) {
      Selection selection = new Selection(range, filter.ofTypes());
      return LokiWork.of(
          selection,
          false,
          (on, thread) -> on.types(selection, false, thread),
          counted ->
              LokiAnswers.list(
                  counted.value().stream().map(TypeCount::type).toList(), counted.facts()));
    }
    Metric.Grouping by = new Metric.Grouping(false, List.of(name));
    return LokiWork.of(
        new Selection(range, filter.candidates()),
        true,
        (on, thread) -> {
          LineSampler sampler =
              new LineSampler(filter, RangeFunction.COUNT_OVER_TIME, null, by, on.gone());
          Selection selection = new Selection(range, sampler.candidates());
          return on.samples(new SampleReader.Query<>(selection, 0, sampler, Figure.SUM), thread);
        },
        counted ->
            LokiAnswers.list(
                counted.value().series().keySet().stream()
                    .map(labels -> labels.byName().getOrDefault(name, ""))
                    .filter(value -> !value.isEmpty())
                    .collect(Collectors.toCollection(TreeSet::new)),
                counted.facts()));
  }

  Work series(LokiRequest asked) {
    List<LogSelector> given = asked.parameters().matches();
    List<LogFilter> filters =
        (given.isEmpty() ? List.of(LokiParameters.all()) : given)
            .stream().map(one -> LogFilter.of(one, rules)).toList();
    TimeRange range = asked.parameters().range();
    boolean isOne = filters.size() == 1;
    return LokiWork.of(
        isOne ? new Selection(range, filters.get(0)) : new Selection(new TreeSet<>(), range, ""),
        true,
        (on, thread) -> {
          filters.forEach(LogFilter::check);
          return streams(on, filters, range, thread);
        },
        counted -> LokiAnswers.series(counted.value(), counted.facts()));
  }

  /** Reads the streams of each query, one query after the other. */
  private static Counted<List<Labels>> streams(
      QueryService on, List<LogFilter> filters, TimeRange range, QueryThread thread) {
    Set<Labels> found = new HashSet<>();
    AnswerFacts facts = AnswerFacts.of(Gaps.NONE);
    for (LogFilter filter : filters) {
      StreamReader reader = new StreamReader(filter, on.gone());
      Selection selection = new Selection(range, filter.candidates());
      Counted<Samples<Labels>> counted =
          on.samples(new SampleReader.Query<>(selection, 0, reader, Figure.SUM), thread);
      found.addAll(counted.value().series().keySet());
      facts = facts.and(counted.facts());
    }
    List<Labels> sorted = found.stream().sorted(Comparator.comparing(Labels::toString)).toList();
    return new Counted<>(sorted, facts);
  }
}
