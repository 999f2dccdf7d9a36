package hourglass.query;

/**
 * A query that counts events in steps of at least 1 ms. If the selection has a filter, or groups
 * are by fields, it reads payloads or values of fields.
 */
public record HitsQuery(Selection selection, long stepMillis, Grouping grouping) {

  public Steps steps() {
    return new Steps(selection.range(), stepMillis);
  }
}
