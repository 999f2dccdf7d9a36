package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.SliceQuery;
import hourglass.store.rows.Part;
import hourglass.store.rows.PartIndex;
import hourglass.store.rows.PartSections;
import hourglass.store.rows.RowParts;
import hourglass.store.rows.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The pages of a sealed row, some at a time. */
final class PageSections implements Sections {
  /** The number of pages that are read at once. */
  static final int PAGES_MAX = 16;

  private final PagesTable table;
  private final RowKey row;
  private final long seal;
  private final boolean ascending;
  private final int columnsMax;

  /** The pages that the filter does not exclude. */
  private final RowParts<PagePart> pages;

  /** The sections, each of one page. */
  private final PartSections sections;

  /**
   * Creates sections that begin at one end of the query's range, which is not empty. They omit
   * pages that the filter excludes.
   *
   * @param heads the heads of all pages of the row
   */
  PageSections(PagesTable table, SliceQuery query, long seal, PartIndex<PagePart> heads) {
    this.table = table;
    this.row = query.row();
    this.seal = seal;
    this.ascending = query.order() == Order.ASCENDING;
    this.columnsMax = query.columnsMax();
    SliceQuery.Filter filter = query.filter();
    RowParts<PagePart> all = new RowParts<>(heads, List.of());
    this.pages =
        filter == null ? all : all.matching(filter.fields(), filter.range(), query.range());
    this.sections = new PartSections(pages, query.range(), query.order());
  }

  @Override
  public CompletionStage<Section> next() {
    List<PagePart> some = new ArrayList<>();
    Section first = sections.next();
    Section last = first;
    int columns = add(first, some);
    while (!last.isLast() && some.size() < PAGES_MAX && columns < columnsMax) {
      last = sections.next();
      columns += add(last, some);
    }
    ColumnRange range =
        ascending
            ? new ColumnRange(first.range().from(), last.range().to())
            : new ColumnRange(last.range().from(), first.range().to());
    boolean isLast = last.isLast();
    return table
        .bodies(row, seal, some)
        .thenApply(whole -> new Section(range, List.<Part>copyOf(whole), isLast, true));
  }

  private int add(Section section, List<PagePart> some) {
    List<PagePart> found = pages.in(section.range());
    some.addAll(found);
    return found.stream().mapToInt(PagePart::count).sum();
  }
}
