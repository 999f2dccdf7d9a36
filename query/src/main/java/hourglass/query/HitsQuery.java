package hourglass.query;

/**
 * A query that counts events per step of at least 1 ms. If the selection has a filter, or groups
 * are by fields, values of fields or payloads are read.
 */
public record HitsQuery(Selection selection, long stepMillis, Grouping grouping) {

  public Steps steps() {
    return new Steps(selection.range(), stepMillis);
  }
}
