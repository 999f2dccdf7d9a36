package hourglass.query.loki;

import hourglass.bytes.Spans;
import hourglass.query.SampleReader;
import hourglass.query.line.LabelFields;
import hourglass.query.line.LevelFields;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LabelTest.Unit;
import hourglass.query.logql.Metric;
import hourglass.query.logql.Metric.RangeFunction;
import hourglass.query.logql.Stage;
import hourglass.store.Columns;
import hourglass.store.FieldValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Samples of the lines of a query, by labels. The values of fields are enough if they decide the
 * query, and if the labels are few and named. Immutable.
 */
public final class LineSampler implements SampleReader<Labels> {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The most combinations of values whose labels are kept. When full, the map is cleared. */
  private static final int KNOWN_MAX = 10_000;

  private final LogFilter filter;
  private final RangeFunction function;
  private final Metric.@Nullable Unwrap unwrap;
  private final Metric.@Nullable Grouping grouping;
  private final BooleanSupplier gone;

  /**
   * The labels by which samples are grouped, in order; null if these are all labels, or all others.
   */
  private final @Nullable List<String> names;

  private final @Nullable Plan plan;

  /**
   * The samples of a range function.
   *
   * @param grouping null if all labels are grouped by
   * @param gone whether the client has cancelled the query
   */
  public LineSampler(
      LogFilter filter,
      RangeFunction function,
      Metric.@Nullable Unwrap unwrap,
      Metric.@Nullable Grouping grouping,
      BooleanSupplier gone) {
    this.filter = filter;
    this.function = function;
    this.unwrap = unwrap;
    this.grouping = grouping;
    this.gone = gone;
    this.names = names(unwrap, grouping);
    this.plan = Plan.of(filter, function, unwrap, names);
  }

  private static @Nullable List<String> names(
      Metric.@Nullable Unwrap unwrap, Metric.@Nullable Grouping grouping) {
    return grouping == null || grouping.without()
        ? null
        : grouping.names().stream()
            .filter(name -> unwrap == null || !unwrap.name().equals(name)) // no label any more
            .distinct()
            .sorted()
            .toList();
  }

  @Override
  public @Nullable List<String> fields() {
    return plan == null ? null : plan.fields;
  }

  /** Returns the filter that selects the events of these samples. */
  public LogFilter candidates() {
    return plan != null && (plan.tellsLevel || plan.readsMembers)
        ? filter.candidatesByFields(plan.tellsLevel)
        : filter.candidates();
  }

  @Override
  public long bytes(Labels group) {
    return group.bytes();
  }

  @Override
  public OfType<Labels> of(String type) {
    return new Reader(type);
  }

  /** Reads a label from fields; null if it is absent. */
  private interface LabelText {
    @Nullable String of(byte[] bytes, Spans places);
  }

  /** The fields of the labels of events, if the fields decide the query. */
  private static final class Plan {
    private final List<String> fields = new ArrayList<>();
    private final List<String> names;

    /** The texts of each name, followed by that of the unwrapped label; null for the type. */
    private final List<@Nullable LabelText> labels = new ArrayList<>();

    /** Whether one of the labels is the detected level. */
    private boolean tellsLevel;

    /** Whether one of the labels may be a member of a line that is JSON. */
    private boolean readsMembers;

    private Plan(List<String> names) {
      this.names = names;
    }

    static @Nullable Plan of(
        LogFilter filter,
        RangeFunction function,
        Metric.@Nullable Unwrap unwrap,
        @Nullable List<String> names) {
      boolean isOfBytes =
          function == RangeFunction.BYTES_OVER_TIME || function == RangeFunction.BYTES_RATE;
      boolean isOfFields = filter.decides() && !isOfBytes;
      if (!isOfFields || names == null) {
        return null;
      }
      Plan plan = new Plan(names);
      boolean isOfAll = names.stream().allMatch(name -> plan.add(name, filter));
      return isOfAll && (unwrap == null || plan.add(unwrap.name(), filter)) ? plan : null;
    }

    /** Adds a label. Returns false if it needs a payload. */
    private boolean add(String name, LogFilter filter) {
      boolean isParsed = filter.query().stages().stream().anyMatch(Stage.Json.class::isInstance);
      boolean isType = name.equals(StreamLabels.SERVICE);
      boolean isLevel = name.equals(StreamLabels.DETECTED_LEVEL);
      boolean isAmbiguous = isParsed && name.indexOf('_') >= 0 && !isType && !isLevel;
      if (filter.drops(name) || isAmbiguous) {
        return false;
      }
      StreamLabels rules = filter.rules();
      if (isType) {
        labels.add(null);
      } else if (isLevel) {
        tellsLevel = true;
        LevelFields level = LevelFields.ofUsual(rules, this::number);
        labels.add((bytes, places) -> Objects.requireNonNull(level.level(bytes, places)));
      } else {
        readsMembers |= isParsed;
        List<String> parsed = isParsed ? List.of(name) : List.of();
        labels.add(
            LabelFields.of(
                    ofObject ->
                        Stream.of(rules.allPaths(name, ofObject), parsed)
                            .flatMap(List::stream)
                            .toList(),
                    this::number)
                ::text);
      }
      return true;
    }

    private int number(String path) {
      if (!fields.contains(path)) {
        fields.add(path);
      }
      return fields.indexOf(path);
    }
  }

  private final class Reader implements OfType<Labels> {
    private final String type;
    private final Map<List<String>, Labels> known = new HashMap<>();

    /** The places of fields in the values that are read. */
    private final Spans places;

    Reader(String type) {
      this.type = type;
      places = new Spans(plan == null ? 0 : plan.fields.size());
    }

    @Override
    public @Nullable Sample<Labels> read(FieldValues values, int i) {
      Plan of = plan;
      if (of == null) {
        throw new IllegalStateException("samples are made of payloads here");
      }
      for (int field = 0; field < of.fields.size(); field++) {
        int from = values.start(i, field);
        int to = values.end(i, field);
        places.set(field, from, from == to ? 0 : to);
      }
      double number = 1;
      if (unwrap != null) {
        Double unwrapped = number(text(of, of.names.size(), values.bytes()));
        if (unwrapped == null) {
          return null;
        }
        number = unwrapped;
      }
      List<String> texts = new ArrayList<>(of.names.size());
      for (int n = 0; n < of.names.size(); n++) {
        texts.add(text(of, n, values.bytes()));
      }
      return new Sample<>(labels(of.names, texts), number);
    }

    /** Returns the text of a label; empty if it is absent. */
    private String text(Plan of, int n, byte[] bytes) {
      LabelText label = of.labels.get(n);
      return label == null ? type : Objects.requireNonNullElse(label.of(bytes, places), "");
    }

    private Labels labels(List<String> names, List<String> texts) {
      Labels labels = known.get(texts);
      if (labels == null) {
        TreeMap<String, String> byName = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
          if (!texts.get(i).isEmpty()) {
            byName.put(names.get(i), texts.get(i));
          }
        }
        labels = new Labels(byName);
        if (known.size() == KNOWN_MAX) {
          known.clear();
        }
        known.put(texts, labels);
      }
      return labels;
    }

    @Override
    public @Nullable Sample<Labels> read(Columns columns, int i) {
      return filter.run(type, columns, i, gone, this::sample);
    }

    private @Nullable Sample<Labels> sample(LogLine line) {
      double number =
          switch (function) {
            case BYTES_OVER_TIME, BYTES_RATE -> line.length();
            default -> 1;
          };
      if (unwrap != null) {
        String text = line.label(unwrap.name());
        Double unwrapped = text == null ? null : number(text);
        if (unwrapped == null) {
          return null;
        }
        number = unwrapped;
      }
      return new Sample<>(labels(line), number);
    }

    private Labels labels(LogLine line) {
      List<String> by = names;
      if (by == null) {
        return otherLabels(line);
      }
      List<String> texts = new ArrayList<>(by.size());
      for (String name : by) {
        texts.add(Objects.requireNonNullElse(line.label(name), ""));
      }
      return labels(by, texts);
    }
  }

  /** Returns the number in a label, durations in seconds; null if there is none. */
  private @Nullable Double number(String text) {
    Unit unit = unwrap == null ? Unit.NUMBER : unwrap.unit();
    Double number = unit.read(text);
    return number == null || unit != Unit.DURATION ? number : (Double) (number / NANOS_PER_SECOND);
  }

  /** Returns all labels, without those that the samples are not grouped by. */
  private Labels otherLabels(LogLine line) {
    SortedMap<String, String> labels = new TreeMap<>(line.labels());
    if (grouping != null) {
      labels.keySet().removeAll(Set.copyOf(grouping.names()));
    }
    if (unwrap != null) {
      labels.remove(unwrap.name());
    }
    return new Labels(labels);
  }
}
