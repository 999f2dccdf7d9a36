package hourglass.query.http;

import hourglass.query.EventQuery;
import hourglass.query.Selection;
import hourglass.query.fair.Places.Size;
import hourglass.query.service.QueryService;
import java.util.concurrent.CompletionStage;

/**
 * The cost of a query, estimated from its request. Immutable.
 *
 * @param size unknown if the directory has to be read first
 * @param readsPayloads whether the query reads all events of the selection, or only counts them
 */
record Cost(Size size, Selection selection, boolean readsPayloads) {
  /** A page of this many events reads little beyond them. */
  private static final long PAGE_MAX = 10_000;

  /** The cost of a lookup, a page without a filter, or a read of directories alone. */
  static final Cost SMALL = new Cost(Size.SMALL, Selection.ALL, false);

  /** The cost of a page of events. */
  static Cost of(EventQuery query) {
    return isFiltered(query.selection()) || query.limit() > PAGE_MAX
        ? ofPayloads(query.selection())
        : SMALL;
  }

  /** The cost of a count, which reads events only for a filter. */
  static Cost ofCounts(Selection selection) {
    return new Cost(Size.UNKNOWN, selection, isFiltered(selection));
  }

  /** The cost of a query that reads all events of a selection. */
  static Cost ofPayloads(Selection selection) {
    return new Cost(Size.UNKNOWN, selection, true);
  }

  private static boolean isFiltered(Selection selection) {
    return !selection.where().isEmpty() || !selection.contains().isEmpty();
  }

  /** Estimates the size from the directory. The stage never fails. */
  CompletionStage<Boolean> isSmall(QueryService service) {
    return service.isSmall(selection, readsPayloads);
  }
}
