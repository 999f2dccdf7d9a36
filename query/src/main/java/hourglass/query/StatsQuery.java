package hourglass.query;

/**
 * A query for statistics of the numbers in a field.
 *
 * @param path from the root of the payload
 * @param stepMillis 0 for one step
 */
public record StatsQuery(Selection selection, String path, Grouping grouping, long stepMillis) {

  public Steps steps() {
    return new Steps(selection.range(), stepMillis);
  }
}
