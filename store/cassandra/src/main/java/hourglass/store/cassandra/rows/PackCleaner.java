package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.parts.Part;
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
  /** Read, compared and deleted at once. */
  private static final int PACKS_MAX = 64;

  private final PacksTable packs;
  private final PagesTable pages;
  private final RowKey row;
  private final int generation;
  private final Seal seal;

  PackCleaner(PacksTable packs, PagesTable pages, RowKey row, int generation, Seal seal) {
    this.packs = packs;
    this.pages = pages;
    this.row = row;
    this.generation = generation;
    this.seal = seal;
  }

  /** Completes with the number of packs that stay. */
  CompletionStage<Integer> clean() {
    return pages.heads(row, seal).thenCompose(heads -> clean(heads, null, 0));
  }

  private CompletionStage<Integer> clean(
      List<PagePart> heads, @Nullable ByteBuffer rest, int left) {
    return packs
        .select(row, ColumnRange.of(row.hour()), Order.ASCENDING, PACKS_MAX, rest)
        .thenCompose(
            page ->
                clean(heads, page.packs())
                    .thenCompose(
                        stay ->
                            page.rest() == null
                                ? CompletableFuture.completedFuture(left + stay)
                                : clean(heads, page.rest(), left + stay)));
  }

  private CompletionStage<Integer> clean(List<PagePart> heads, List<Pack> some) {
    List<Part> parts = some.stream().map(PackPage::part).toList();
    List<PagePart> overlapping =
        heads.stream()
            .filter(
                head ->
                    parts.stream()
                        .anyMatch(
                            part ->
                                head.first().compareTo(part.last()) <= 0
                                    && part.first().compareTo(head.last()) <= 0))
            .toList();
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
