package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.SliceQuery;
import hourglass.store.rows.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The pages of a sealed row, some at a time. */
final class PageSections implements Sections {
  /** Read at once. */
  static final int PAGES_MAX = 16;

  private final PagesTable table;
  private final RowKey row;
  private final long seal;
  private final Order order;
  private final int columnsMax;

  /** Without those that were read, or need not be; the nearest one first. */
  private final List<PagePart> pages;

  private ColumnRange open;

  /**
   * Begins at an end of the range, which is not empty. Leaves out pages that the filter rules out.
   *
   * @param heads of all pages, ascending
   */
  PageSections(PagesTable table, SliceQuery query, long seal, List<PagePart> heads) {
    this.table = table;
    this.row = query.row();
    this.seal = seal;
    this.order = query.order();
    this.columnsMax = query.columnsMax();
    this.open = query.range();
    List<PagePart> wanted = new ArrayList<>();
    for (PagePart head : heads) {
      if (head.overlaps(open) && mayMatch(head, query.filter())) {
        wanted.add(head);
      }
    }
    if (order == Order.DESCENDING) {
      Collections.reverse(wanted);
    }
    this.pages = wanted;
  }

  private static boolean mayMatch(PagePart page, SliceQuery.@Nullable Filter filter) {
    return filter == null || !page.isWithin(filter.range()) || page.mayMatch(filter.fields());
  }

  @Override
  public CompletionStage<Section> next() {
    int taken = 0;
    for (int columns = 0;
        taken < pages.size() && taken < PAGES_MAX && (taken == 0 || columns < columnsMax);
        taken++) {
      columns += pages.get(taken).count();
    }
    List<PagePart> some = List.copyOf(pages.subList(0, taken));
    pages.subList(0, taken).clear();
    boolean isLast = pages.isEmpty();
    ColumnRange range = open;
    if (!isLast && order == Order.ASCENDING) {
      range = new ColumnRange(open.from(), pages.get(0).first());
      open = new ColumnRange(range.to(), open.to());
    } else if (!isLast) {
      range = new ColumnRange(pages.get(0).last().successor(), open.to());
      open = new ColumnRange(open.from(), range.from());
    }
    ColumnRange section = range;
    return table
        .bodies(row, seal, some)
        .thenApply(whole -> new Section(section, List.<Part>copyOf(whole), isLast, true));
  }
}
