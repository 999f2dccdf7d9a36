package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.rows.PartIndex;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deletes packs of a row by their own keys, if the pages of its seal contain what is needed of
 * their columns. Packs that came later, or that differ in any needed column, stay. So it may run at
 * any time, more than once, and end at any step.
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
  private final @Nullable Seal seal;
  private final Needs needs;

  /** Creates a cleaner; {@code seal} is null if the row has no pages. */
  PackCleaner(
      PackStatements packs,
      PagesTable pages,
      RowKey row,
      int generation,
      @Nullable Seal seal,
      Needs needs) {
    this.packs = packs;
    this.pages = pages;
    this.row = row;
    this.generation = generation;
    this.seal = seal;
    this.needs = needs;
  }

  /** Decides about packs. */
  @FunctionalInterface
  interface Needs {
    /**
     * Returns what the pages must contain of the columns of a pack, so that the pack may be
     * deleted; null if the pack stays in any case.
     */
    @Nullable Columns of(Columns columns);

    /** Returns whether the pages need a column's name alone, with any payload. */
    default boolean isByName(long ticks, long lsb) {
      return false;
    }
  }

  /** The packs that were not left alone. */
  record Counts(int deleted, int stayed) {
    private static final Counts NONE = new Counts(0, 0);

    Counts plus(Counts other) {
      return new Counts(deleted + other.deleted, stayed + other.stayed);
    }
  }

  private record Candidate(Pack pack, Columns needed) {
    boolean overlaps(PagePart page) {
      return !needed.isEmpty()
          && page.overlaps(new ColumnRange(needed.first(), needed.last().successor()));
    }
  }

  CompletionStage<Counts> clean() {
    return heads()
        .thenCompose(
            heads -> {
              CompletionStage<Counts> counts = CompletableFuture.completedFuture(Counts.NONE);
              ColumnRange hour = ColumnRange.of(row.hour());
              for (ColumnRange piece : PackPieces.pieces(hour, PackPieces.cuts(heads))) {
                counts = counts.thenCompose(before -> clean(heads, piece, null, before));
              }
              return counts;
            });
  }

  private CompletionStage<PartIndex<PagePart>> heads() {
    return seal == null
        ? CompletableFuture.completedFuture(PartIndex.of(List.of()))
        : pages.heads(row, seal);
  }

  private CompletionStage<Counts> clean(
      PartIndex<PagePart> heads, ColumnRange firsts, @Nullable ByteBuffer rest, Counts before) {
    return packs
        .select(row, firsts, Order.ASCENDING, PACKS_MAX, rest)
        .thenCompose(
            page ->
                clean(heads, candidates(page.packs()))
                    .thenApply(before::plus)
                    .thenCompose(
                        now ->
                            page.rest() == null
                                ? CompletableFuture.completedFuture(now)
                                : clean(heads, firsts, page.rest(), now)));
  }

  private List<Candidate> candidates(List<Pack> some) {
    List<Candidate> candidates = new ArrayList<>();
    for (Pack pack : some) {
      Columns needed = needs.of(PackPage.part(pack).load(Projection.COLUMNS));
      if (needed != null) {
        candidates.add(new Candidate(pack, needed));
      }
    }
    return candidates;
  }

  /** Packs that overlap too many pages are compared by halves. */
  private CompletionStage<Counts> clean(PartIndex<PagePart> heads, List<Candidate> some) {
    List<PagePart> overlapping =
        heads.parts().stream()
            .filter(head -> some.stream().anyMatch(c -> c.overlaps(head)))
            .toList();
    if (overlapping.size() > PAGES_MAX && some.size() > 1) {
      int half = some.size() / 2;
      return clean(heads, some.subList(0, half))
          .thenCompose(
              first -> clean(heads, some.subList(half, some.size())).thenApply(first::plus));
    }
    return bodies(overlapping)
        .thenCompose(
            whole -> {
              Columns sealed =
                  Columns.merge(whole.stream().map(page -> page.load(Projection.COLUMNS)).toList());
              List<Pack> contained =
                  some.stream()
                      .filter(candidate -> contains(sealed, candidate.needed()))
                      .map(Candidate::pack)
                      .toList();
              Stream<CompletionStage<Void>> deletions =
                  contained.stream().map(pack -> packs.delete(row, generation, pack));
              return Futures.allOf(deletions)
                  .thenApply(done -> new Counts(contained.size(), some.size() - contained.size()));
            });
  }

  private CompletionStage<List<PagePart>> bodies(List<PagePart> overlapping) {
    return seal == null
        ? CompletableFuture.completedFuture(overlapping)
        : pages.bodies(row, seal.number(), overlapping);
  }

  /** Whether every name is there, with the same payload or a larger one where that counts. */
  private boolean contains(Columns sealed, Columns columns) {
    int at = 0;
    for (int i = 0; i < columns.size(); i++) {
      at = sealed.lowerBound(columns.ticks(i), columns.lsb(i), at);
      if (at == sealed.size()
          || sealed.ticks(at) != columns.ticks(i)
          || sealed.lsb(at) != columns.lsb(i)
          || !needs.isByName(columns.ticks(i), columns.lsb(i))
              && Columns.comparePayloads(sealed, at, columns, i) < 0) {
        return false;
      }
    }
    return true;
  }
}
