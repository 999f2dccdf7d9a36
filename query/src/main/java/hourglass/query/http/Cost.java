package hourglass.query.http;

import hourglass.query.EventQuery;
import hourglass.query.Selection;
import hourglass.query.fair.Places.Size;
import hourglass.query.service.QueryService;
import java.util.concurrent.CompletionStage;

/**
 * What a query costs, as far as its request tells. Immutable.
 *
 * @param size unknown where the directory must be asked
 * @param readsPayloads whether all events of the selection are read, and not only counted
 */
record Cost(Size size, Selection selection, boolean readsPayloads) {
  /** A page of so many events reads little more than them. */
  private static final long PAGE_MAX = 10_000;

  /** Of what reads an event or two, or directories alone. */
  static final Cost SMALL = new Cost(Size.SMALL, Selection.ALL, false);

  /** Of a page of events. */
  static Cost of(EventQuery query) {
    return isFiltered(query.selection()) || query.limit() > PAGE_MAX
        ? ofPayloads(query.selection())
        : SMALL;
  }

  /** Of what counts events, or reads them where a filter must. */
  static Cost ofCounts(Selection selection) {
    return new Cost(Size.UNKNOWN, selection, isFiltered(selection));
  }

  /** Of what reads all events of a selection. */
  static Cost ofPayloads(Selection selection) {
    return new Cost(Size.UNKNOWN, selection, true);
  }

  private static boolean isFiltered(Selection selection) {
    return !selection.where().isEmpty() || !selection.contains().isEmpty();
  }

  /** Asks the directory; never fails. */
  CompletionStage<Boolean> isSmall(QueryService service) {
    return service.isSmall(selection, readsPayloads);
  }
}
