package hourglass.query;

import java.util.List;

/**
 * What was counted, group by group.
 *
 * @param series by type alone without a bound: sorted by type; else the groups with most events
 *     first, and {@link Group#OTHERS} last
 * @param isExact whether no group among the others has more events than one of these
 */
public record Grouped<T>(List<Series<T>> series, boolean isExact) {

  public Grouped {
    series = List.copyOf(series);
  }

  public record Series<T>(Group group, T value) {}
}
