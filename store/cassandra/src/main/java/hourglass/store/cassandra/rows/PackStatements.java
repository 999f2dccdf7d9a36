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
import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The statements on one table of packs. Thread-safe. */
final class PackStatements {
  /**
   * The bytes of a pack that the server counts besides head and body: row, cells, name, digest and
   * timestamp.
   */
  static final int PACK_BYTES = 48;

  private static final int PROTOCOL_BATCH_MAX = 0xffff;

  private final Cql cql;
  private final RetentionClass retentionClass;
  private final int batchBytes;
  private final PreparedStatement insert;
  private final PreparedStatement ascending;
  private final PreparedStatement descending;
  private final PreparedStatement heads;
  private final PreparedStatement delete;
  private final PreparedStatement deletePack;

  private PackStatements(
      Cql cql,
      RetentionClass retentionClass,
      int batchBytes,
      PreparedStatement insert,
      PreparedStatement ascending,
      PreparedStatement descending,
      PreparedStatement heads,
      PreparedStatement delete,
      PreparedStatement deletePack) {
    this.cql = cql;
    this.retentionClass = retentionClass;
    this.batchBytes = batchBytes;
    this.insert = insert;
    this.ascending = ascending;
    this.descending = descending;
    this.heads = heads;
    this.delete = delete;
    this.deletePack = deletePack;
  }

  static CompletionStage<PackStatements> prepare(
      Cql cql, RetentionClass retentionClass, int batchBytes) {
    String table = "%s." + retentionClass.name();
    String range = " FROM " + table + " WHERE row = ? AND id >= ? AND id < ?";
    var insert =
        prepare(
            cql,
            "INSERT INTO "
                + table
                + " (row, id, digest, head, body) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?");
    var ascending =
        prepare(cql, "SELECT id, digest, head, body" + range + " ORDER BY id ASC, digest ASC");
    var descending =
        prepare(cql, "SELECT id, digest, head, body" + range + " ORDER BY id DESC, digest DESC");
    var heads = prepare(cql, "SELECT id, digest, head" + range + " ORDER BY id ASC, digest ASC");
    var delete = prepare(cql, "DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ?");
    var deletePack =
        prepare(
            cql,
            "DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ? AND id = ? AND digest = ?");
    return Futures.all(Stream.of(insert, ascending, descending, heads, delete, deletePack))
        .thenApply(
            all ->
                new PackStatements(
                    cql,
                    retentionClass,
                    batchBytes,
                    insert.join(),
                    ascending.join(),
                    descending.join(),
                    heads.join(),
                    delete.join(),
                    deletePack.join()));
  }

  private static CompletableFuture<PreparedStatement> prepare(Cql cql, String statement) {
    return cql.prepareAsync(statement).toCompletableFuture();
  }

  /**
   * Inserts packs of one row in unlogged batches. Sizes count as on the server, up to {@code
   * batchBytes}. A larger pack is sent alone.
   */
  List<Statement<?>> batches(RowKey row, int generation, List<Pack> packs) {
    ByteBuffer key = CqlValues.key(row);
    List<Statement<?>> batches = new ArrayList<>();
    List<BatchableStatement<?>> inserts = new ArrayList<>();
    long bytes = 0;
    for (Pack pack : packs) {
      long added = (long) pack.head().remaining() + pack.bodyLength() + PACK_BYTES;
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
        .setBytesUnsafe(1, CqlValues.id(pack.first()))
        .setLong(2, pack.digest())
        .setBytesUnsafe(3, pack.head())
        .setBytesUnsafe(4, Objects.requireNonNull(pack.body()))
        .setLong(5, CqlValues.writeMicros(pack.first().ticks(), generation))
        .build();
  }

  private Statement<?> batch(RowKey row, List<BatchableStatement<?>> inserts) {
    return inserts.size() == 1
        ? retentionClass.expiring(row.hour(), (BoundStatement) inserts.get(0))
        : retentionClass.expiring(
            row.hour(), BatchStatement.newInstance(DefaultBatchType.UNLOGGED, inserts));
  }

  /** Writes batches, each after a check just before it is sent. */
  CompletionStage<Void> write(
      List<Statement<?>> batches, Supplier<? extends CompletionStage<Void>> check) {
    return Futures.allOf(batches.stream().map(batch -> cql.write(batch, check)));
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

  /** Reads their heads alone, ascending. */
  CompletionStage<Page> selectHeads(
      RowKey row, ColumnRange firsts, int packsMax, @Nullable ByteBuffer rest) {
    return select(heads, row, firsts, packsMax, rest, false);
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
            .setBytesUnsafe(0, CqlValues.key(row))
            .setBytesUnsafe(1, CqlValues.id(firsts.from()))
            .setBytesUnsafe(2, CqlValues.id(firsts.to()))
            .setPageSize(packsMax);
    return cql.read(rest == null ? select.build() : select.setPagingState(rest).build())
        .thenApply(result -> page(result, bodies));
  }

  private static Page page(AsyncResultSet result, boolean bodies) {
    List<Pack> packs = new ArrayList<>(result.remaining());
    for (Row row : result.currentPage()) {
      packs.add(
          new Pack(
              CqlValues.name(Objects.requireNonNull(row.getBytesUnsafe(0))),
              row.getLong(1),
              Objects.requireNonNull(row.getBytesUnsafe(2)),
              bodies ? Objects.requireNonNull(row.getBytesUnsafe(3)) : null));
    }
    return new Page(packs, result.getExecutionInfo().getPagingState());
  }

  /** Deletes a row as it is in this generation and in earlier ones. */
  CompletionStage<Void> delete(RowKey row, int generation) {
    return cql.write(
        delete.bind(CqlValues.lastWriteMicros(row.hour(), generation), row.toString()));
  }

  /**
   * Deletes a pack, also if it is written again. The tombstone is later than the pack, since {@code
   * nodetool garbagecollect} ignores tombstones that are not later than the oldest data of a file.
   */
  CompletionStage<Void> delete(RowKey row, int generation, Pack pack) {
    return cql.write(
        deletePack
            .boundStatementBuilder()
            .setLong(0, CqlValues.writeMicros(pack.first().ticks(), generation) + 1)
            .setBytesUnsafe(1, CqlValues.key(row))
            .setBytesUnsafe(2, CqlValues.id(pack.first()))
            .setLong(3, pack.digest())
            .build());
  }
}
