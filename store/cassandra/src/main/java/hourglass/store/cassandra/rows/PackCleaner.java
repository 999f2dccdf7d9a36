package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.rows.Part;
import hourglass.store.rows.PartIndex;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the packs of a row whose columns are all in the pages of its seal, each by its own key.
 * Packs that came later, or that differ in any column, stay. So it may run at any time, more than
 * once, and end at any step.
 */
final class PackCleaner {
  /** The packs that are read, compared and deleted at once. */
  private static final int PACKS_MAX = 64;

  /** The most pages in memory at once, 16 MiB of payloads, unless a single pack overlaps more. */
  private static final int PAGES_MAX = 64;

  private final PackStatements packs;
  private final PagesTable pages;
  private final RowKey row;
  private final int generation;
  private final Seal seal;

  PackCleaner(PackStatements packs, PagesTable pages, RowKey row, int generation, Seal seal) {
    this.packs = packs;
    this.pages = pages;
    this.row = row;
    this.generation = generation;
    this.seal = seal;
  }

  /** Completes with the number of packs that stay. */
  CompletionStage<Integer> clean() {
    return pages
        .heads(row, seal)
        .thenCompose(
            heads -> {
              CompletionStage<Integer> left = CompletableFuture.completedFuture(0);
              ColumnRange hour = ColumnRange.of(row.hour());
              for (ColumnRange piece : PackPieces.pieces(hour, PackPieces.cuts(heads))) {
                left = left.thenCompose(before -> clean(heads, piece, null, before));
              }
              return left;
            });
  }

  private CompletionStage<Integer> clean(
      PartIndex<PagePart> heads, ColumnRange firsts, @Nullable ByteBuffer rest, int left) {
    return packs
        .select(row, firsts, Order.ASCENDING, PACKS_MAX, rest)
        .thenCompose(
            page ->
                clean(heads, page.packs())
                    .thenCompose(
                        stay ->
                            page.rest() == null
                                ? CompletableFuture.completedFuture(left + stay)
                                : clean(heads, firsts, page.rest(), left + stay)));
  }

  /** Packs that overlap too many pages are compared by halves. */
  private CompletionStage<Integer> clean(PartIndex<PagePart> heads, List<Pack> some) {
    List<Part> parts = some.stream().map(PackPage::part).toList();
    List<ColumnRange> ranges =
        parts.stream().map(part -> new ColumnRange(part.first(), part.last().successor())).toList();
    List<PagePart> overlapping =
        heads.parts().stream().filter(head -> ranges.stream().anyMatch(head::overlaps)).toList();
    if (overlapping.size() > PAGES_MAX && some.size() > 1) {
      int half = some.size() / 2;
      return clean(heads, some.subList(0, half))
          .thenCompose(
              left -> clean(heads, some.subList(half, some.size())).thenApply(more -> left + more));
    }
    return pages
        .bodies(row, seal.number(), overlapping)
        .thenCompose(
            whole -> {
              Columns sealed =
                  Columns.merge(whole.stream().map(page -> page.load(Projection.COLUMNS)).toList());
              List<Pack> contained = new ArrayList<>();
              for (int i = 0; i < some.size(); i++) {
                if (contains(sealed, parts.get(i).load(Projection.COLUMNS))) {
                  contained.add(some.get(i));
                }
              }
              Stream<CompletionStage<Void>> deletions =
                  contained.stream().map(pack -> packs.delete(row, generation, pack));
              return Futures.allOf(deletions).thenApply(done -> some.size() - contained.size());
            });
  }

  /** Whether every name is there with the same payload, or a larger one. */
  private static boolean contains(Columns sealed, Columns columns) {
    int at = 0;
    for (int i = 0; i < columns.size(); i++) {
      at = sealed.lowerBound(columns.ticks(i), columns.lsb(i), at);
      if (at == sealed.size()
          || sealed.ticks(at) != columns.ticks(i)
          || sealed.lsb(at) != columns.lsb(i)
          || Columns.comparePayloads(sealed, at, columns, i) < 0) {
        return false;
      }
    }
    return true;
  }
}
