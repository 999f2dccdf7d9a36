package hourglass.store.cassandra.rows;

import hourglass.store.ColumnRange;
import hourglass.store.rows.PartIndex;
import hourglass.store.rows.Section;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The heads of the pages of a sealed row. Pages that a range begins or ends in are sections of
 * their own, since their bodies are needed to count them.
 */
final class PageHeads implements Sections {
  private final Deque<Section> sections = new ArrayDeque<>();

  /** {@code heads} of all pages; the range is not empty. */
  PageHeads(PartIndex<PagePart> heads, ColumnRange range) {
    List<PagePart> pages = heads.in(range);
    int size = pages.size();
    int from = size > 0 && !pages.get(0).isWithin(range) ? 1 : 0;
    int to = size > from && !pages.get(size - 1).isWithin(range) ? size - 1 : size;
    ColumnRange open = range;
    for (int cut : from == to ? new int[] {from} : new int[] {from, to}) {
      if (cut > 0 && cut < size) {
        ColumnRange before = new ColumnRange(open.from(), pages.get(cut).first());
        add(before, pages, false);
        open = new ColumnRange(before.to(), open.to());
      }
    }
    add(open, pages, true);
  }

  private void add(ColumnRange range, List<PagePart> pages, boolean isLast) {
    sections.add(
        new Section(
            range, pages.stream().filter(page -> page.overlaps(range)).toList(), isLast, true));
  }

  @Override
  public CompletionStage<Section> next() {
    return CompletableFuture.completedFuture(sections.remove());
  }
}
