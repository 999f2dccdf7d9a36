package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.driver.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the pages of a row that its seal replaced, and looks for erased columns in all others.
 *
 * @param seal the pages of the row, which stay; null if no column of the row is left
 */
record PageEraser(
    PagesTable pages, RowKey row, int generation, ErasedParts erased, @Nullable Seal seal) {
  /** The pages that are read at once, 4 MiB of payloads. */
  private static final int PAGES_MAX = 16;

  /** Completes with the number of seals that had erased columns after the first deletion. */
  CompletionStage<Integer> erase() {
    CompletionStage<Void> deleted =
        seal == null
            ? CompletableFuture.completedFuture(null)
            : pages.deleteBefore(row, generation, seal.number());
    return deleted
        .thenCompose(done -> pages.seals(row))
        .thenCompose(seals -> Futures.all(seals.stream().map(this::erase)))
        .thenApply(found -> (int) found.stream().filter(each -> each).count());
  }

  /**
   * Returns whether a seal has erased columns. Its pages are deleted if they cannot become those of
   * the row any more.
   */
  private CompletionStage<Boolean> erase(long number) {
    return pages
        .readHeads(row, number)
        .thenCompose(heads -> areIn(number, heads.parts(), 0))
        .thenCompose(
            found ->
                found && seal == null
                    ? pages.deleteSeal(row, generation, number).thenApply(done -> true)
                    : CompletableFuture.completedFuture(found));
  }

  private CompletionStage<Boolean> areIn(long number, List<PagePart> heads, int from) {
    if (from == heads.size()) {
      return CompletableFuture.completedFuture(false);
    }
    int to = Math.min(heads.size(), from + PAGES_MAX);
    return pages
        .bodies(row, number, heads.subList(from, to).stream().filter(this::mayContain).toList())
        .thenCompose(
            some ->
                some.stream().anyMatch(page -> erased.areIn(page.load(Projection.COLUMNS)))
                    ? CompletableFuture.completedFuture(true)
                    : areIn(number, heads, to));
  }

  private boolean mayContain(PagePart head) {
    return erased.own().parts().stream()
        .map(part -> part.names())
        .anyMatch(names -> hasBetween(names, head));
  }

  private static boolean hasBetween(Columns names, PagePart head) {
    int at = names.lowerBound(head.first());
    return at < names.size() && names.id(at).compareTo(head.last()) <= 0;
  }
}
