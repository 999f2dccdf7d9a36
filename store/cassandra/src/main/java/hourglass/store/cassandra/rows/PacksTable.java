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
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  /** Of recent reads. Races are harmless. */
  private volatile double columnsPerPack = 1;

  private PacksTable(
      Cql cql, RetentionClass retentionClass, int batchBytes, List<PreparedStatement> statements) {
    super(retentionClass);
    this.cql = cql;
    this.batchBytes = batchBytes;
    this.insert = statements.get(0);
    this.ascending = statements.get(1);
    this.descending = statements.get(2);
    this.heads = statements.get(3);
    this.delete = statements.get(4);
  }

  static CompletionStage<PacksTable> prepare(
      Cql cql, RetentionClass retentionClass, int batchBytes) {
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
                    "DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ?")
                .map(cql::prepareAsync))
        .thenApply(statements -> new PacksTable(cql, retentionClass, batchBytes, statements));
  }

  /** Values of at most the given length that a page of results may have. */
  static int valuesPerPage(int longest) {
    return Math.max(1, Math.min(PAGE_VALUES_MAX, PAGE_BYTES_MAX / (longest + PACK_BYTES)));
  }

  private static long bytes(Pack pack) {
    return (long) pack.head().remaining() + bodyLength(pack) + PACK_BYTES;
  }

  private static int bodyLength(Pack pack) {
    return Objects.requireNonNull(pack.body()).remaining();
  }

  /**
   * Inserts columns of one row, together if all fit one batch.
   *
   * @param writes each is inserted atomically if it fits one batch
   * @return length of the longest value that was stored, bytes
   */
  public CompletionStage<Integer> insert(RowKey row, int generation, List<Columns> writes) {
    List<Pack> packs = PackCodec.encode(writes.size() == 1 ? writes.get(0) : Columns.merge(writes));
    List<Statement<?>> batches = batches(row, generation, packs);
    if (batches.size() > 1 && writes.size() > 1) {
      return Futures.all(writes.stream().map(write -> insert(row, generation, List.of(write))))
          .thenApply(longest -> longest.stream().mapToInt(Integer::intValue).max().orElse(0));
    }
    int longest = packs.stream().mapToInt(PacksTable::bodyLength).max().orElse(0);
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
  record Page(List<Pack> packs, @Nullable ByteBuffer rest) {}

  /** Reads packs whose first names are in a range. */
  CompletionStage<Page> select(
      RowKey row, ColumnRange firsts, Order order, int packsMax, @Nullable ByteBuffer rest) {
    return select(
        order == Order.ASCENDING ? ascending : descending, row, firsts, packsMax, rest, true);
  }

  /** As {@link #select}, without bodies. */
  CompletionStage<Page> selectHeads(RowKey row, ColumnRange firsts, @Nullable ByteBuffer rest) {
    return select(heads, row, firsts, PAGE_VALUES_MAX, rest, false);
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
    return cql.write(delete.bind(lastWriteMicros(row.hour(), generation), row.toString()));
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query, int longest) {
    PackCursor cursor =
        new PackCursor(
            this,
            query.row(),
            query.range(),
            query.order(),
            packsOf(query.columnsMax()),
            valuesPerPage(longest),
            false);
    return new PackSlice(query, cursor).read();
  }

  /** About how many packs hold so many columns, going by the pages of results that came last. */
  private int packsOf(int columns) {
    return 1 + (int) (columns / columnsPerPack);
  }

  void observe(int packs, int columns) {
    if (packs > 0) {
      double before = columnsPerPack;
      columnsPerPack = before + ((double) columns / packs - before) / 4;
    }
  }

  /** Counts by the heads of packs, unless some may have names in common. */
  public CompletionStage<RowCounts> count(CountQuery query, int longest) {
    return new PackCount(this, query, valuesPerPage(longest)).read();
  }

  /** The values of fields, each column once. */
  public CompletionStage<FieldValues> values(FieldQuery query, int longest) {
    int packsMax = valuesPerPage(longest);
    PackCursor cursor =
        new PackCursor(
            this, query.part().row(), query.range(), Order.ASCENDING, packsMax, packsMax, true);
    return new PackValues(query, cursor).read();
  }
}
