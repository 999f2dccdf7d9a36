package hourglass.store.cassandra.rows;

import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.SliceQuery;
import hourglass.store.rows.PartIndex;
import hourglass.store.rows.Section;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The packs of a row that was sealed before, with the pages that hold its other columns, some pages
 * at a time.
 */
final class JoinedSections implements Sections {
  private final Sections packs;
  private final PagesTable table;
  private final SliceQuery query;
  private final long seal;
  private final PartIndex<PagePart> heads;

  /** The rest of a section of packs; null if none is begun. */
  private @Nullable Section rest;

  JoinedSections(
      Sections packs, PagesTable table, SliceQuery query, long seal, PartIndex<PagePart> heads) {
    this.packs = packs;
    this.table = table;
    this.query = query;
    this.seal = seal;
    this.heads = heads;
  }

  @Override
  public CompletionStage<Section> next() {
    Section begun = rest;
    return (begun != null ? CompletableFuture.completedFuture(begun) : packs.next())
        .thenCompose(this::withPages);
  }

  /** Takes the beginning of a section that overlaps many pages, and keeps the rest. */
  private CompletionStage<Section> withPages(Section section) {
    ColumnRange range = section.range();
    List<PagePart> pages = pages(section);
    int size = pages.size();
    if (size <= PageSections.PAGES_MAX) {
      rest = null;
      return withBodies(section, pages);
    }
    boolean ascending = query.order() == Order.ASCENDING;
    int cut = ascending ? PageSections.PAGES_MAX : size - PageSections.PAGES_MAX;
    ColumnRange before = new ColumnRange(range.from(), pages.get(cut).first());
    ColumnRange after = new ColumnRange(before.to(), range.to());
    rest = section.piece(ascending ? after : before, true);
    return withBodies(
        section.piece(ascending ? before : after, false),
        ascending ? pages.subList(0, cut) : pages.subList(cut, size));
  }

  /** Returns the pages of a section that the filter does not exclude. */
  private List<PagePart> pages(Section section) {
    SliceQuery.Filter filter = query.filter();
    PartIndex<PagePart> left =
        filter == null
            ? heads
            : heads.matching(filter.fields(), filter.range(), section.range(), section.parts());
    return left.in(section.range());
  }

  private CompletionStage<Section> withBodies(Section section, List<PagePart> pages) {
    return table.bodies(query.row(), seal, pages).thenApply(section::with);
  }
}
