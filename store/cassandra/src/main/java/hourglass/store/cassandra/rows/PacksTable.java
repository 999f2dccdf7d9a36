package hourglass.store.cassandra.rows;

import com.datastax.oss.driver.api.core.cql.Statement;
import hourglass.access.Failures;
import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.pages.PageCodec;
import hourglass.store.rows.Part;
import hourglass.store.rows.PartIndex;
import hourglass.store.rows.SliceReader;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of packs, such as {@code packs_30d}. The key of a pack is its row, its first name and the
 * digest of its content: a repeated write changes nothing, and no write replaces another. Readers
 * merge the packs. Thread-safe.
 */
public final class PacksTable {
  /** The worst-case size of a page of results. */
  private static final int PAGE_BYTES_MAX = 8 << 20;

  /** The most values of a page of results; with larger pages, a node waits for itself. */
  private static final int PAGE_VALUES_MAX = 5_000;

  private final RetentionClass retentionClass;
  private final PackStatements packs;
  private final PagesTable pages;

  /**
   * The means of the last pages of results; at first the least and the most. Races are harmless.
   */
  private volatile double columnsPerPack = 1;

  private volatile double bytesPerPack = PageCodec.PAGE_BYTES;

  private PacksTable(RetentionClass retentionClass, PackStatements packs, PagesTable pages) {
    this.retentionClass = retentionClass;
    this.packs = packs;
    this.pages = pages;
  }

  /** Prepares the statements of a class's table. */
  public static CompletionStage<PacksTable> prepare(
      Cql cql, RetentionClass retentionClass, int batchBytes, HeadCache pageHeads) {
    return PackStatements.prepare(cql, retentionClass, batchBytes)
        .thenCombine(
            PagesTable.prepare(cql, retentionClass, pageHeads),
            (packs, pages) -> new PacksTable(retentionClass, packs, pages));
  }

  public RetentionClass retentionClass() {
    return retentionClass;
  }

  /** Values of at most the given length that a page of results may have. */
  static int valuesPerPage(int longest) {
    return Math.max(
        1, Math.min(PAGE_VALUES_MAX, PAGE_BYTES_MAX / (longest + PackStatements.PACK_BYTES)));
  }

  /**
   * Inserts columns of one row, together if all fit one batch.
   *
   * @param period of the write; columns that are erased and forgotten are written again in a later
   *     one, so that no tombstone hides them
   * @param all the columns of all writes
   * @param writes each is inserted atomically if it fits one batch
   * @param check runs just before each batch is sent, which it prevents if it fails
   * @return length of the longest value that was stored, bytes
   */
  public CompletionStage<Integer> insert(
      RowKey row,
      int generation,
      long period,
      Columns all,
      List<Columns> writes,
      Supplier<? extends CompletionStage<Void>> check) {
    List<Pack> encoded = PackCodec.encode(all).stream().map(pack -> pack.in(period)).toList();
    List<Statement<?>> batches = packs.batches(row, generation, encoded);
    if (batches.size() > 1 && writes.size() > 1) {
      return Futures.all(
              writes.stream()
                  .map(write -> insert(row, generation, period, write, List.of(write), check)))
          .thenApply(longest -> longest.stream().mapToInt(Integer::intValue).max().orElse(0));
    }
    int longest = encoded.stream().mapToInt(Pack::bodyLength).max().orElse(0);
    return packs.write(batches, check).thenApply(done -> longest);
  }

  /** Deletes a row as it is in this generation and in earlier ones. */
  public CompletionStage<Void> delete(RowKey row, int generation) {
    return Futures.allOf(Stream.of(packs.delete(row, generation), pages.delete(row, generation)));
  }

  /** Reads the indexes of the pages of a seal. Fails if one is damaged. */
  public CompletionStage<Void> checkIndexes(RowKey row, Seal seal) {
    return named(
        row,
        pages.heads(row, seal).thenAccept(heads -> heads.parts().forEach(PagePart::checkIndex)));
  }

  /** Begins the pages of a seal, which count once the directory names it. */
  public RowPages newPages(RowKey row, int generation, long seal) {
    return new RowPages(pages, row, generation, seal, PageSeries::new);
  }

  /** Begins the pages of a seal, in a test of smaller pages and indexes. */
  RowPages newPages(RowKey row, long seal, int pageColumns, int indexPages) {
    return new RowPages(pages, row, 0, seal, sink -> new PageSeries(sink, pageColumns, indexPages));
  }

  /**
   * Deletes packs of this table whose columns are all in the pages of a seal. No reader may still
   * need them.
   *
   * @param sealed the table that contains the pages of the seal
   * @return the number of packs that stay
   */
  public CompletionStage<Integer> deleteReplacedPacks(
      RowKey row, int generation, Seal seal, PacksTable sealed) {
    return new PackCleaner(packs, sealed.pages, row, generation, seal, columns -> columns)
        .clean()
        .thenApply(PackCleaner.Counts::stayed);
  }

  /** Deletes the pages of a seal. No reader may still need them. */
  public CompletionStage<Void> deletePages(RowKey row, int generation, long seal) {
    return pages.deleteSeal(row, generation, seal);
  }

  /** Deletes the pages of earlier seals, named or not. No reader may still need them. */
  public CompletionStage<Void> deletePagesBefore(RowKey row, int generation, long seal) {
    return pages
        .seals(row)
        .thenCompose(
            seals ->
                Futures.allOf(
                    seals.stream()
                        .filter(other -> other < seal)
                        .map(other -> pages.deleteSeal(row, generation, other))));
  }

  /** Returns whether a pack of this table, or a page of any seal, contains erased columns. */
  public CompletionStage<Boolean> hasErased(RowKey row, ErasedParts erased) {
    return named(row, new ErasedSearch(packs, pages, row, erased).hasAny());
  }

  /**
   * Deletes the packs of this table that contain erased columns, if the pages of a seal contain
   * what is left of them. Every reader must know the seal.
   *
   * @param seal the pages of the row; null if no column of it is left
   * @param sealed the table that contains the pages
   */
  public CompletionStage<Void> deleteErasedPacks(
      RowKey row, int generation, ErasedParts erased, @Nullable Seal seal, PacksTable sealed) {
    return named(
        row,
        new PackCleaner(packs, sealed.pages, row, generation, seal, erased)
            .clean()
            .thenApply(counts -> null));
  }

  /**
   * Deletes the pages of all seals before this one. If no column of the row is left, it deletes the
   * pages that contain erased columns.
   *
   * @param seal the pages of the row in any table; null if no column of it is left
   */
  public CompletionStage<Void> deleteErasedPages(
      RowKey row, int generation, ErasedParts erased, @Nullable Seal seal) {
    return seal != null
        ? pages.deleteBefore(row, generation, seal.number())
        : named(row, new ErasedSearch(packs, pages, row, erased).sealsWithAny())
            .thenCompose(
                seals ->
                    Futures.allOf(
                        seals.stream().map(each -> pages.deleteSeal(row, generation, each))));
  }

  /**
   * Reads a part of a row, whose range is not empty.
   *
   * @param longest upper bound on the length of a stored value of the row, bytes
   * @param seal the pages of the row; null if it has none
   */
  public CompletionStage<Slice> slice(SliceQuery query, int longest, @Nullable Seal seal) {
    return named(
        query.row(),
        heads(query.row(), seal)
            .thenCompose(
                heads ->
                    SliceRead.read(
                        query,
                        perPage -> sections(query, longest, perPage, false, seal, heads),
                        packsOf(query.columnsMax()),
                        valuesPerPage(longest))));
  }

  private CompletionStage<PartIndex<PagePart>> heads(RowKey row, @Nullable Seal seal) {
    return seal == null
        ? CompletableFuture.completedFuture(PartIndex.of(List.of()))
        : pages.heads(row, seal);
  }

  private Sections sections(
      SliceQuery query,
      int longest,
      int packsFirst,
      boolean wholeMinutes,
      @Nullable Seal seal,
      PartIndex<PagePart> heads) {
    if (seal != null && seal.isWhole()) {
      return new PageSections(pages, query, seal.number(), heads);
    }
    PackCursor.Pages all =
        (firsts, packsMax, rest) ->
            packs
                .select(query.row(), firsts, query.order(), packsMax, rest)
                .thenApply(page -> observed(page.parts(query.order())));
    PackCursor cursor =
        new PackCursor(
            seal == null ? all : new PackPieces(all, PackPieces.cuts(heads), query.order()),
            query.range(),
            query.order(),
            query.resumeAt(),
            wholeMinutes,
            packsFirst,
            valuesPerPage(longest));
    return seal == null ? cursor : new JoinedSections(cursor, pages, query, seal.number(), heads);
  }

  private static SliceQuery all(RowKey row, ColumnRange range) {
    return new SliceQuery(row, range, Order.ASCENDING, Integer.MAX_VALUE, Projection.COLUMNS);
  }

  /** Sections between minutes, without bodies. */
  private Sections heads(
      CountQuery query, int headsMax, @Nullable Seal seal, PartIndex<PagePart> pageHeads) {
    RowKey row = query.row();
    ColumnRange range = query.range();
    if (seal != null && seal.isWhole()) {
      return new PageHeads(pageHeads, range);
    }
    PackCursor.Pages all =
        (firsts, packsMax, rest) ->
            packs
                .selectHeads(row, firsts, packsMax, rest)
                .thenApply(page -> page.parts(Order.ASCENDING));
    PackCursor cursor =
        new PackCursor(
            seal == null ? all : new PackPieces(all, PackPieces.cuts(pageHeads), Order.ASCENDING),
            range,
            Order.ASCENDING,
            null,
            true,
            headsMax,
            headsMax);
    return seal == null
        ? cursor
        : () -> cursor.next().thenApply(section -> section.with(pageHeads.in(section.range())));
  }

  /** Counts columns by the heads of pages and packs, as far as heads suffice. */
  public CompletionStage<RowCounts> count(CountQuery query, int longest, @Nullable Seal seal) {
    return count(query, PAGE_VALUES_MAX, longest, seal);
  }

  CompletionStage<RowCounts> count(
      CountQuery query, int headsMax, int longest, @Nullable Seal seal) {
    RowKey row = query.row();
    return query.range().isEmpty()
        ? CompletableFuture.completedFuture(RowCounts.NONE)
        : named(
            row,
            heads(row, seal)
                .thenCompose(
                    pageHeads ->
                        new CountReader(
                                query,
                                range ->
                                    sections(
                                        all(row, range),
                                        longest,
                                        packsOf(Integer.MAX_VALUE),
                                        true,
                                        seal,
                                        pageHeads))
                            .read(heads(query, headsMax, seal, pageHeads))));
  }

  /** The values of fields, each column once. The range is not empty. */
  public CompletionStage<FieldValues> values(FieldQuery query, int longest, @Nullable Seal seal) {
    RowKey row = query.part().row();
    ColumnRange range = query.range();
    FieldFilter filter = query.filter();
    return named(
        row,
        heads(row, seal)
            .thenCompose(
                heads ->
                    new ValuesReader(
                            query,
                            sections(
                                filter == null
                                    ? all(row, range)
                                    : all(row, range)
                                        .withFilter(new SliceQuery.Filter(filter, range)),
                                longest,
                                packsOf(Integer.MAX_VALUE),
                                true,
                                seal,
                                heads))
                        .read()));
  }

  /**
   * About how many packs a slice of so many columns reads, going by the last pages of results, and
   * two at its ends.
   */
  private int packsOf(int columns) {
    double wanted = Math.min(columns / columnsPerPack, SliceReader.BYTES_MAX / bytesPerPack);
    return 2 + (int) Math.min(wanted, PAGE_VALUES_MAX);
  }

  private PackPage observed(PackPage page) {
    if (page.packs() > 0) {
      double columns = page.parts().stream().mapToLong(Part::count).sum();
      double bytes = page.parts().stream().mapToLong(Part::payloadBytes).sum();
      columnsPerPack = (3 * columnsPerPack + columns / page.packs()) / 4;
      bytesPerPack = (3 * bytesPerPack + bytes / page.packs()) / 4;
    }
    return page;
  }

  /** Adds the place of damage to its description. */
  private <T> CompletionStage<T> named(RowKey row, CompletionStage<T> answer) {
    return answer.exceptionallyCompose(
        failure -> {
          Throwable cause = Failures.cause(failure);
          return CompletableFuture.failedFuture(
              cause instanceof CorruptException
                  ? new CorruptException(
                      "%s, row %s, %s; docs/cassandra-engine.md has the remedies"
                          .formatted(retentionClass.name(), row, cause.getMessage()),
                      cause)
                  : failure);
        });
  }
}
