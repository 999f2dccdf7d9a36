package hourglass.query.loki;

import hourglass.query.logql.Metric.Aggregate;
import hourglass.query.logql.Metric.Aggregation;
import hourglass.query.logql.Metric.Grouping;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Series of samples at the same times. Immutable.
 *
 * @param series sorted by their labels, or by value after a ranking at a single time
 */
public record Vector(List<Series> series) {

  /** The samples of labels; at some times there may be none. Not thread-safe. */
  public static final class Series {
    private final Labels labels;
    private final double[] values;
    private final boolean[] present;

    /** Creates a series without samples. */
    public Series(Labels labels, int times) {
      this.labels = labels;
      values = new double[times];
      present = new boolean[times];
    }

    public void put(int time, double value) {
      values[time] = value;
      present[time] = true;
    }

    public Labels labels() {
      return labels;
    }

    public boolean has(int time) {
      return present[time];
    }

    public double value(int time) {
      return values[time];
    }

    boolean isEmpty() {
      for (boolean there : present) {
        if (there) {
          return false;
        }
      }
      return true;
    }
  }

  /** Returns the series that are not empty, sorted by their labels. */
  public static Vector of(Collection<Series> series) {
    return new Vector(
        series.stream()
            .filter(one -> !one.isEmpty())
            .sorted(Comparator.comparing(one -> one.labels().toString()))
            .toList());
  }

  public Vector map(DoubleUnaryOperator operator) {
    List<Series> changed = new ArrayList<>();
    for (Series one : series) {
      Series of = new Series(one.labels, one.values.length);
      for (int t = 0; t < one.values.length; t++) {
        if (one.present[t]) {
          of.put(t, operator.applyAsDouble(one.values[t]));
        }
      }
      changed.add(of);
    }
    return new Vector(changed);
  }

  public Vector aggregate(Aggregate query) {
    Map<Labels, List<Series>> groups = new LinkedHashMap<>();
    for (Series one : series) {
      groups
          .computeIfAbsent(group(one.labels, query.grouping()), absent -> new ArrayList<>())
          .add(one);
    }
    List<Series> all = new ArrayList<>();
    groups.forEach(
        (labels, members) -> {
          if (query.aggregation().isRanking()) {
            all.addAll(rank(members, query));
          } else {
            all.add(aggregate(labels, members, query));
          }
        });
    boolean isRanked =
        query.aggregation().isRanking() && !series.isEmpty() && series.get(0).values.length == 1;
    return isRanked ? new Vector(List.copyOf(all)) : of(all);
  }

  private static Labels group(Labels labels, @Nullable Grouping grouping) {
    TreeMap<String, String> group = new TreeMap<>();
    if (grouping != null) {
      group.putAll(labels.byName());
      Set<String> names = Set.copyOf(grouping.names());
      group.keySet().removeIf(name -> names.contains(name) == grouping.without());
    }
    return new Labels(group);
  }

  private static Series aggregate(Labels labels, List<Series> members, Aggregate query) {
    int times = members.get(0).values.length;
    Series all = new Series(labels, times);
    for (int t = 0; t < times; t++) {
      double sum = 0;
      double min = Double.NaN;
      double max = Double.NaN;
      int count = 0;
      for (Series one : members) {
        if (one.present[t]) {
          sum += one.values[t];
          // NaN is passed over, unless there are no numbers.
          min = Double.isNaN(min) || one.values[t] < min ? one.values[t] : min;
          max = Double.isNaN(max) || one.values[t] > max ? one.values[t] : max;
          count++;
        }
      }
      if (count > 0) {
        double value =
            switch (query.aggregation()) {
              case SUM -> sum;
              case AVG -> sum / count;
              case MIN -> min;
              case MAX -> max;
              case COUNT -> count;
              case TOPK, BOTTOMK -> throw new IllegalStateException("a ranking has no value");
            };
        all.put(t, value);
      }
    }
    return all;
  }

  /**
   * Returns the samples of the first {@code k} series at each time; if values are equal, those of
   * the first labels. NaN is last.
   */
  private static List<Series> rank(List<Series> members, Aggregate query) {
    int times = members.get(0).values.length;
    Map<Labels, Series> kept = new LinkedHashMap<>();
    boolean isTop = query.aggregation() == Aggregation.TOPK;
    for (int t = 0; t < times; t++) {
      int time = t;
      Comparator<Series> isNone = Comparator.comparing(one -> Double.isNaN(one.values[time]));
      Comparator<Series> byValue = Comparator.comparingDouble(one -> one.values[time]);
      members.stream()
          .filter(one -> one.present[time])
          .sorted(isNone.thenComparing(isTop ? byValue.reversed() : byValue))
          .limit(query.k())
          .forEach(
              one ->
                  kept.computeIfAbsent(one.labels, labels -> new Series(labels, times))
                      .put(time, one.values[time]));
    }
    return List.copyOf(kept.values());
  }
}
