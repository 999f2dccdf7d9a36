package hourglass.store.cassandra.rows;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.rows.PartIndex;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * A table of the pages of sealed rows, such as {@code pages_30d}. A row is sealed under a number.
 * The pages of one number never change; they hold each name once and do not overlap. Thread-safe.
 */
final class PagesTable {
  /** The number of heads in a page of results; usually one or two of them have an index. */
  private static final int HEADS_PER_PAGE = 64;

  private final Cql cql;
  private final RetentionClass retentionClass;
  private final PreparedStatement insert;
  private final PreparedStatement selectHeads;
  private final PreparedStatement selectBodies;
  private final PreparedStatement selectNumbers;
  private final PreparedStatement deleteNumber;
  private final PreparedStatement deleteRow;
  private final PreparedStatement deleteBefore;
  private final HeadCache heads;

  private PagesTable(
      Cql cql, RetentionClass retentionClass, HeadCache heads, List<PreparedStatement> statements) {
    this.cql = cql;
    this.retentionClass = retentionClass;
    this.heads = heads;
    this.insert = statements.get(0);
    this.selectHeads = statements.get(1);
    this.selectBodies = statements.get(2);
    this.selectNumbers = statements.get(3);
    this.deleteNumber = statements.get(4);
    this.deleteRow = statements.get(5);
    this.deleteBefore = statements.get(6);
  }

  static CompletionStage<PagesTable> prepare(
      Cql cql, RetentionClass retentionClass, HeadCache heads) {
    String table = "%s." + retentionClass.pagesTable();
    return Futures.all(
            Stream.of(
                    "INSERT INTO "
                        + table
                        + " (row, seal, id, head, body) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?",
                    "SELECT id, head FROM " + table + " WHERE row = ? AND seal = ?",
                    "SELECT id, body FROM " + table + " WHERE row = ? AND seal = ? AND id IN ?",
                    "SELECT seal FROM " + table + " WHERE row = ? GROUP BY row, seal",
                    "DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ? AND seal = ?",
                    "DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ?",
                    "DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ? AND seal < ?")
                .map(cql::prepareAsync))
        .thenApply(statements -> new PagesTable(cql, retentionClass, heads, statements));
  }

  CompletionStage<Void> insert(RowKey row, int generation, long seal, Pack page) {
    BoundStatement bound =
        insert
            .boundStatementBuilder()
            .setBytesUnsafe(0, CqlValues.key(row))
            .setLong(1, seal)
            .setBytesUnsafe(2, CqlValues.id(page.first()))
            .setBytesUnsafe(3, page.head())
            .setBytesUnsafe(4, Objects.requireNonNull(page.body()))
            .setLong(5, CqlValues.writeMicros(page.first().ticks(), generation))
            .build();
    return cql.write(retentionClass.expiring(row.hour(), bound));
  }

  /**
   * Returns the heads in the order of their first names, from memory if they were read before.
   * Fails with {@link SealReplacedException} if some are missing.
   */
  CompletionStage<PartIndex<PagePart>> heads(RowKey row, Seal seal) {
    PartIndex<PagePart> known = heads.get(row, seal.number());
    return known != null
        ? CompletableFuture.completedFuture(known)
        : readHeads(row, seal.number())
            .thenApply(
                read -> {
                  if (read.parts().stream().mapToLong(PagePart::count).sum() != seal.columns()) {
                    throw new SealReplacedException(row, seal.number());
                  }
                  PartIndex<PagePart> indexed = SealIndex.connect(read);
                  heads.put(row, seal.number(), indexed);
                  return indexed;
                });
  }

  /** Reads the heads of the pages of a seal, of which some may be missing; without indexes. */
  CompletionStage<PartIndex<PagePart>> readHeads(RowKey row, long seal) {
    List<PagePart> read = new ArrayList<>();
    BoundStatement select =
        selectHeads
            .boundStatementBuilder()
            .setBytesUnsafe(0, CqlValues.key(row))
            .setLong(1, seal)
            .setPageSize(HEADS_PER_PAGE)
            .build();
    return cql.readAll(select, each -> read.add(head(each))).thenApply(done -> PartIndex.of(read));
  }

  private static PagePart head(Row row) {
    return new PagePart(
        new Pack(
            CqlValues.name(Objects.requireNonNull(row.getBytesUnsafe(0))),
            Pack.SEALED,
            Objects.requireNonNull(row.getBytesUnsafe(1)),
            null));
  }

  /**
   * Reads the bodies of pages.
   *
   * @return the pages with their bodies; fails with {@link SealReplacedException} if one is missing
   */
  CompletionStage<List<PagePart>> bodies(RowKey row, long seal, List<PagePart> pages) {
    if (pages.isEmpty()) {
      return CompletableFuture.completedFuture(pages);
    }
    Map<TimeUuid, ByteBuffer> bodies = new LinkedHashMap<>();
    BoundStatement select =
        selectBodies
            .boundStatementBuilder()
            .setBytesUnsafe(0, CqlValues.key(row))
            .setLong(1, seal)
            .setList(2, pages.stream().map(page -> page.first().toUuid()).toList(), UUID.class)
            .setPageSize(pages.size() + 1)
            .build();
    return cql.readAll(
            select,
            each ->
                bodies.put(
                    CqlValues.name(Objects.requireNonNull(each.getBytesUnsafe(0))),
                    Objects.requireNonNull(each.getBytesUnsafe(1))))
        .thenApply(
            done -> {
              List<PagePart> whole = new ArrayList<>(pages.size());
              for (PagePart page : pages) {
                ByteBuffer body = bodies.get(page.first());
                if (body == null) {
                  throw new SealReplacedException(row, seal);
                }
                whole.add(page.with(body));
              }
              return whole;
            });
  }

  /** The numbers of all seals of a row, finished or not, ascending. */
  CompletionStage<List<Long>> seals(RowKey row) {
    List<Long> seals = new ArrayList<>();
    BoundStatement select =
        selectNumbers.boundStatementBuilder().setBytesUnsafe(0, CqlValues.key(row)).build();
    return cql.readAll(select, each -> seals.add(each.getLong(0))).thenApply(done -> seals);
  }

  CompletionStage<Void> deleteSeal(RowKey row, int generation, long seal) {
    return cql.write(
        deleteNumber.bind(CqlValues.lastWriteMicros(row.hour(), generation), row.toString(), seal));
  }

  CompletionStage<Void> delete(RowKey row, int generation) {
    return cql.write(
        deleteRow.bind(CqlValues.lastWriteMicros(row.hour(), generation), row.toString()));
  }

  /**
   * Deletes the pages of all seals with smaller numbers, also those that are still being written.
   */
  CompletionStage<Void> deleteBefore(RowKey row, int generation, long seal) {
    return cql.write(
        deleteBefore.bind(CqlValues.lastWriteMicros(row.hour(), generation), row.toString(), seal));
  }
}
