package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.driver.Futures;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks for erased columns in two tables of a row: in the packs of all minutes from the first
 * erased name to the last, and in the pages of all seals, named or not.
 */
record ErasedSearch(PackStatements packs, PagesTable pages, RowKey row, ErasedParts erased) {
  /** The packs that are read at once. */
  private static final int PACKS_MAX = 64;

  /** The pages that are read at once, 4 MiB of payloads. */
  private static final int PAGES_MAX = 16;

  CompletionStage<Boolean> hasAny() {
    return arePacked(minutes(), null)
        .thenCompose(
            packed ->
                packed
                    ? CompletableFuture.completedFuture(true)
                    : sealsWithAny().thenApply(seals -> !seals.isEmpty()));
  }

  private ColumnRange minutes() {
    TimeUuid first = names().map(Columns::first).min(Comparator.naturalOrder()).orElseThrow();
    TimeUuid last = names().map(Columns::last).max(Comparator.naturalOrder()).orElseThrow();
    // A pack is stored under its first name, and has columns of one minute.
    return new ColumnRange(TimeUuid.first(PackCodec.minuteStart(first.ticks())), last.successor());
  }

  private Stream<Columns> names() {
    return erased.own().parts().stream().map(part -> part.names());
  }

  private CompletionStage<Boolean> arePacked(ColumnRange firsts, @Nullable ByteBuffer rest) {
    return packs
        .select(row, firsts, Order.ASCENDING, PACKS_MAX, rest)
        .thenCompose(
            page -> {
              boolean found =
                  page.packs().stream()
                      .map(pack -> PackPage.part(pack).load(Projection.COLUMNS))
                      .anyMatch(erased::areIn);
              return found || page.rest() == null
                  ? CompletableFuture.completedFuture(found)
                  : arePacked(firsts, page.rest());
            });
  }

  /** Completes with the numbers of the seals whose pages have erased columns. */
  CompletionStage<List<Long>> sealsWithAny() {
    return pages
        .seals(row)
        .thenCompose(
            seals ->
                Futures.all(seals.stream().map(this::areSealed))
                    .thenApply(
                        found ->
                            IntStream.range(0, seals.size())
                                .filter(found::get)
                                .mapToObj(seals::get)
                                .toList()));
  }

  private CompletionStage<Boolean> areSealed(long number) {
    return pages
        .readHeads(row, number)
        .thenCompose(
            heads -> areIn(number, heads.parts().stream().filter(this::mayContain).toList(), 0));
  }

  private CompletionStage<Boolean> areIn(long number, List<PagePart> heads, int from) {
    if (from == heads.size()) {
      return CompletableFuture.completedFuture(false);
    }
    int to = Math.min(heads.size(), from + PAGES_MAX);
    return pages
        .bodies(row, number, heads.subList(from, to))
        .thenCompose(
            some ->
                some.stream().anyMatch(page -> erased.areIn(page.load(Projection.COLUMNS)))
                    ? CompletableFuture.completedFuture(true)
                    : areIn(number, heads, to));
  }

  private boolean mayContain(PagePart head) {
    return names().anyMatch(names -> hasBetween(names, head));
  }

  private static boolean hasBetween(Columns names, PagePart head) {
    int at = names.lowerBound(head.first());
    return at < names.size() && names.id(at).compareTo(head.last()) <= 0;
  }
}
