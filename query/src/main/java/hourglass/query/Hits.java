package hourglass.query;

/**
 * The number of events in each step.
 *
 * @param grouping of the query
 * @param series one count for each step, not to be changed; of groups with events, or of all events
 */
public record Hits(Steps steps, Grouping grouping, Grouped<long[]> series) {

  public long total() {
    long total = 0;
    for (Grouped.Series<long[]> one : series.series()) {
      for (long count : one.value()) {
        total += count;
      }
    }
    return total;
  }
}
