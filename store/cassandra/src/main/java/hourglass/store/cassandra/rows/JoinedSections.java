package hourglass.store.cassandra.rows;

import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.SliceQuery;
import hourglass.store.parts.Part;
import java.util.ArrayList;
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
  private final List<PagePart> heads;

  /** The rest of a section of packs; null if none is begun. */
  private @Nullable Section rest;

  JoinedSections(
      Sections packs, PagesTable table, SliceQuery query, long seal, List<PagePart> heads) {
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

  @Override
  public boolean continuesRead() {
    return rest != null;
  }

  private CompletionStage<Section> withPages(Section section) {
    Section first = firstOf(section);
    List<PagePart> pages = heads.stream().filter(head -> head.overlaps(first.range())).toList();
    return table
        .bodies(query.row(), seal, pages)
        .thenApply(
            whole -> {
              List<Part> parts = new ArrayList<>(first.parts());
              parts.addAll(whole);
              return new Section(first.range(), parts, first.isLast());
            });
  }

  /** The beginning of a section that overlaps few pages; keeps the rest. */
  private Section firstOf(Section section) {
    ColumnRange range = section.range();
    List<PagePart> pages = heads.stream().filter(head -> head.overlaps(range)).toList();
    rest = null;
    if (pages.size() <= PageSections.PAGES_MAX) {
      return section;
    }
    boolean ascending = query.order() == Order.ASCENDING;
    ColumnRange first =
        ascending
            ? new ColumnRange(range.from(), pages.get(PageSections.PAGES_MAX).first())
            : new ColumnRange(pages.get(pages.size() - PageSections.PAGES_MAX).first(), range.to());
    ColumnRange others =
        ascending
            ? new ColumnRange(first.to(), range.to())
            : new ColumnRange(range.from(), first.from());
    rest = part(section, others, section.isLast());
    return part(section, first, false);
  }

  private static Section part(Section section, ColumnRange range, boolean isLast) {
    return new Section(
        range, section.parts().stream().filter(part -> part.overlaps(range)).toList(), isLast);
  }
}
