package hourglass.query;

import java.util.List;

/**
 * The results of a count, group by group.
 *
 * @param series sorted by type if the groups are types without a bound; otherwise, the groups with
 *     most events first, and {@link Group#OTHERS} last
 * @param isExact whether no group among the others has more events than one of these
 */
public record Grouped<T>(List<Series<T>> series, boolean isExact) {

  public Grouped {
    series = List.copyOf(series);
  }

  public record Series<T>(Group group, T value) {}
}
