package hourglass.store.cassandra.rows;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of packs, such as {@code packs_30d}. The key of a pack is its row, its first name and the
 * digest of its content: a repeated write changes nothing, and no write replaces another. Readers
 * merge the packs. Thread-safe.
 */
public final class PacksTable extends RowTable {
  /** Counted by the server besides head and body: row, cells, name, digest and timestamp. */
  private static final int PACK_BYTES = 48;

  private static final int PROTOCOL_BATCH_MAX = 0xffff;

  /** Worst-case size of a page of results. */
  private static final int PAGE_BYTES_MAX = 8 << 20;

  /** Larger pages make a node wait for itself. */
  private static final int PAGE_VALUES_MAX = 5_000;

  private final Cql cql;
  private final int batchBytes;
  private final PreparedStatement insert;
  private final PreparedStatement ascending;
  private final PreparedStatement descending;
  private final PreparedStatement heads;
  private final PreparedStatement delete;
  private final PreparedStatement deletePack;
  private final PagesTable pages;

  /** Of the last pages of results; at first the least and the most. Races are harmless. */
  private volatile double columnsPerPack = 1;

  private volatile double bytesPerPack = PageCodec.PAGE_BYTES;

  private PacksTable(
      Cql cql,
      RetentionClass retentionClass,
      int batchBytes,
      List<PreparedStatement> statements,
      PagesTable pages) {
    super(retentionClass);
    this.cql = cql;
    this.batchBytes = batchBytes;
    this.insert = statements.get(0);
    this.ascending = statements.get(1);
    this.descending = statements.get(2);
    this.heads = statements.get(3);
    this.delete = statements.get(4);
    this.deletePack = statements.get(5);
    this.pages = pages;
  }

  static CompletionStage<PacksTable> prepare(
      Cql cql, RetentionClass retentionClass, int batchBytes, HeadCache pageHeads) {
    String table = "%s." + retentionClass.table();
    String range = " FROM " + table + " WHERE row = ? AND id >= ? AND id < ?";
    return Futures.all(
            Stream.of(
                    "INSERT INTO "
                        + table
                        + " (row, id, digest, head, body) VALUES (?, ?, ?, ?, ?)"
                        + " USING TIMESTAMP ?",
                    "SELECT id, digest, head, body" + range + " ORDER BY id ASC, digest ASC",
                    "SELECT id, digest, head, body" + range + " ORDER BY id DESC, digest DESC",
                    "SELECT id, digest, head" + range + " ORDER BY id ASC, digest ASC",
                    "DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ?",
                    "DELETE FROM "
                        + table
                        + " USING TIMESTAMP ? WHERE row = ? AND id = ? AND digest = ?")
                .map(cql::prepareAsync))
        .thenCombine(
            PagesTable.prepare(cql, retentionClass, pageHeads),
            (statements, pages) ->
                new PacksTable(cql, retentionClass, batchBytes, statements, pages));
  }

  /** Values of at most the given length that a page of results may have. */
  static int valuesPerPage(int longest) {
    return Math.max(1, Math.min(PAGE_VALUES_MAX, PAGE_BYTES_MAX / (longest + PACK_BYTES)));
  }

  private static long bytes(Pack pack) {
    return (long) pack.head().remaining() + pack.bodyLength() + PACK_BYTES;
  }

  /**
   * Inserts columns of one row, together if all fit one batch.
   *
   * @param all the columns of all writes
   * @param writes each is inserted atomically if it fits one batch
   * @return length of the longest value that was stored, bytes
   */
  public CompletionStage<Integer> insert(
      RowKey row, int generation, Columns all, List<Columns> writes) {
    List<Pack> packs = PackCodec.encode(all);
    List<Statement<?>> batches = batches(row, generation, packs);
    if (batches.size() > 1 && writes.size() > 1) {
      return Futures.all(
              writes.stream().map(write -> insert(row, generation, write, List.of(write))))
          .thenApply(longest -> longest.stream().mapToInt(Integer::intValue).max().orElse(0));
    }
    int longest = packs.stream().mapToInt(Pack::bodyLength).max().orElse(0);
    return Futures.allOf(batches.stream().map(cql::write)).thenApply(done -> longest);
  }

  /**
   * Divides packs into unlogged batches. Sizes count as on the server, up to {@code batchBytes}. A
   * larger pack is sent alone.
   */
  private List<Statement<?>> batches(RowKey row, int generation, List<Pack> packs) {
    ByteBuffer key = key(row);
    List<Statement<?>> batches = new ArrayList<>();
    List<BatchableStatement<?>> inserts = new ArrayList<>();
    long bytes = 0;
    for (Pack pack : packs) {
      long added = bytes(pack);
      if (!inserts.isEmpty()
          && (bytes + added > batchBytes || inserts.size() == PROTOCOL_BATCH_MAX)) {
        batches.add(batch(row, inserts));
        inserts = new ArrayList<>();
        bytes = 0;
      }
      inserts.add(insert(key, pack, generation));
      bytes += added;
    }
    batches.add(batch(row, inserts));
    return batches;
  }

  private BoundStatement insert(ByteBuffer key, Pack pack, int generation) {
    return insert
        .boundStatementBuilder()
        .setBytesUnsafe(0, key)
        .setBytesUnsafe(1, id(pack.first()))
        .setLong(2, pack.digest())
        .setBytesUnsafe(3, pack.head())
        .setBytesUnsafe(4, Objects.requireNonNull(pack.body()))
        .setLong(5, writeMicros(pack.first().ticks(), generation))
        .build();
  }

  private Statement<?> batch(RowKey row, List<BatchableStatement<?>> inserts) {
    return inserts.size() == 1
        ? retentionClass().expiring(row.hour(), (BoundStatement) inserts.get(0))
        : retentionClass()
            .expiring(row.hour(), BatchStatement.newInstance(DefaultBatchType.UNLOGGED, inserts));
  }

  /**
   * A page of results.
   *
   * @param rest where the next page begins; null if this is the last one
   */
  record Page(List<Pack> packs, @Nullable ByteBuffer rest) {
    PackPage parts(Order order) {
      return PackPage.of(packs, order, rest);
    }
  }

  /** Reads packs whose first names are in a range. */
  CompletionStage<Page> select(
      RowKey row, ColumnRange firsts, Order order, int packsMax, @Nullable ByteBuffer rest) {
    return select(
        order == Order.ASCENDING ? ascending : descending, row, firsts, packsMax, rest, true);
  }

  private CompletionStage<Page> select(
      PreparedStatement statement,
      RowKey row,
      ColumnRange firsts,
      int packsMax,
      @Nullable ByteBuffer rest,
      boolean bodies) {
    BoundStatementBuilder select =
        statement
            .boundStatementBuilder()
            .setBytesUnsafe(0, key(row))
            .setBytesUnsafe(1, id(firsts.from()))
            .setBytesUnsafe(2, id(firsts.to()))
            .setPageSize(packsMax);
    return cql.read(rest == null ? select.build() : select.setPagingState(rest).build())
        .thenApply(result -> page(result, bodies));
  }

  private static Page page(AsyncResultSet result, boolean bodies) {
    List<Pack> packs = new ArrayList<>(result.remaining());
    for (Row row : result.currentPage()) {
      packs.add(
          new Pack(
              name(Objects.requireNonNull(row.getBytesUnsafe(0))),
              row.getLong(1),
              Objects.requireNonNull(row.getBytesUnsafe(2)),
              bodies ? Objects.requireNonNull(row.getBytesUnsafe(3)) : null));
    }
    return new Page(packs, result.getExecutionInfo().getPagingState());
  }

  @Override
  public CompletionStage<Void> delete(RowKey row, int generation) {
    return Futures.allOf(
        Stream.of(
            cql.write(delete.bind(lastWriteMicros(row.hour(), generation), row.toString())),
            pages.delete(row, generation)));
  }

  CompletionStage<Void> delete(RowKey row, int generation, Pack pack) {
    return cql.write(
        deletePack
            .boundStatementBuilder()
            .setLong(0, writeMicros(pack.first().ticks(), generation))
            .setBytesUnsafe(1, key(row))
            .setBytesUnsafe(2, id(pack.first()))
            .setLong(3, pack.digest())
            .build());
  }

  /** Begins the pages of a seal, which count once the directory names it. */
  public RowPages newPages(RowKey row, int generation, long seal) {
    return new RowPages(pages, row, generation, seal);
  }

  /**
   * Deletes packs of this table whose columns are all in the pages of a seal. No reader may still
   * need them.
   *
   * @param sealed has the pages of the seal
   * @return how many packs stay
   */
  public CompletionStage<Integer> deleteReplacedPacks(
      RowKey row, int generation, Seal seal, PacksTable sealed) {
    return new PackCleaner(this, sealed.pages, row, generation, seal).clean();
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

  @Override
  public CompletionStage<Slice> slice(SliceQuery query, int longest) {
    return slice(query, longest, null);
  }

  /** Reads a part of a row, whose range is not empty. */
  public CompletionStage<Slice> slice(SliceQuery query, int longest, @Nullable Seal seal) {
    return named(
        query.row(),
        heads(query.row(), seal)
            .thenCompose(
                heads ->
                    SliceRead.read(
                        query,
                        packs -> sections(query, longest, packs, false, seal, heads),
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
      int packs,
      boolean wholeMinutes,
      @Nullable Seal seal,
      PartIndex<PagePart> heads) {
    if (seal != null && seal.isWhole()) {
      return new PageSections(pages, query, seal.number(), heads);
    }
    PackCursor.Pages all =
        (firsts, packsMax, rest) ->
            select(query.row(), firsts, query.order(), packsMax, rest)
                .thenApply(page -> observed(page.parts(query.order())));
    PackCursor cursor =
        new PackCursor(
            seal == null ? all : new PackPieces(all, PackPieces.cuts(heads), query.order()),
            query.range(),
            query.order(),
            query.resumeAt(),
            wholeMinutes,
            packs,
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
            select(heads, row, firsts, packsMax, rest, false)
                .thenApply(page -> page.parts(Order.ASCENDING));
    PackCursor packs =
        new PackCursor(
            seal == null ? all : new PackPieces(all, PackPieces.cuts(pageHeads), Order.ASCENDING),
            range,
            Order.ASCENDING,
            null,
            true,
            headsMax,
            headsMax);
    return seal == null
        ? packs
        : () -> packs.next().thenApply(section -> section.with(pageHeads.in(section.range())));
  }

  /** Counts by heads, as far as they suffice. */
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
    double packs = Math.min(columns / columnsPerPack, SliceReader.BYTES_MAX / bytesPerPack);
    return 2 + (int) Math.min(packs, PAGE_VALUES_MAX);
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
                          .formatted(retentionClass().name(), row, cause.getMessage()),
                      cause)
                  : failure);
        });
  }
}
