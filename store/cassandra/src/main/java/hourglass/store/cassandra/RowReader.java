package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Reads parts of rows, page by page. How many columns a page may have follows from the longest
 * payload of the row, so that the rows of a page fit the memory of the node and ours whatever they
 * hold. Thread-safe.
 */
final class RowReader {
  /** What a page may hold at worst. */
  private static final int PAGE_BYTES_MAX = 8 << 20;

  /** More at a time make a node wait for itself. */
  private static final int PAGE_COLUMNS_MAX = 5_000;

  /** A slice goes on with another page until it holds that. */
  private static final int SLICE_BYTES = 2 << 20;

  /** Besides its payload, what a column takes in an answer. */
  private static final int COLUMN_BYTES = 32;

  private final Tables tables;

  RowReader(Tables tables) {
    this.tables = tables;
  }

  /** A slice of a row, from the tables of all its classes. */
  CompletionStage<Slice> slice(SliceQuery query, RowFacts.Fact fact) {
    if (query.range().isEmpty()) {
      return CompletableFuture.completedFuture(new Slice(Columns.EMPTY, false));
    }
    List<CompletableFuture<Slice>> slices = new ArrayList<>();
    for (String retentionClass : fact.classes()) {
      slices.add(
          tables
              .events(retentionClass)
              .thenCompose(table -> new Read(table, query, pageColumns(fact)).next())
              .toCompletableFuture());
    }
    return CompletableFuture.allOf(slices.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            done ->
                projected(
                    Slices.merge(query, slices.stream().map(CompletableFuture::join).toList()),
                    query.projection()));
  }

  private static Slice projected(Slice slice, Projection projection) {
    return projection == Projection.COLUMNS
        ? slice
        : new Slice(slice.columns().namesOnly(), slice.more());
  }

  private static int pageColumns(RowFacts.Fact fact) {
    return Math.max(
        1, Math.min(PAGE_COLUMNS_MAX, PAGE_BYTES_MAX / (fact.longest() + COLUMN_BYTES)));
  }

  /** Hands on all columns of a range, stretch after stretch in ascending order. */
  CompletionStage<Void> scan(
      RowKey row, ColumnRange range, RowFacts.Fact fact, Consumer<Columns> stretches) {
    SliceQuery query =
        new SliceQuery(row, range, Order.ASCENDING, Integer.MAX_VALUE - 1, Projection.COLUMNS);
    return slice(query, fact)
        .thenCompose(
            slice -> {
              if (!slice.columns().isEmpty()) {
                stretches.accept(slice.columns());
              }
              return slice.more()
                  ? scan(row, query.after(slice).range(), fact, stretches)
                  : CompletableFuture.completedFuture(null);
            });
  }

  /** One slice from one table; used by one thread at a time. */
  private static final class Read {
    private final EventsTable table;
    private final SliceQuery query;
    private final int pageColumns;
    private final List<Columns> pages = new ArrayList<>();
    private ColumnRange rest;
    private int columns;
    private long bytes;

    Read(EventsTable table, SliceQuery query, int pageColumns) {
      this.table = table;
      this.query = query;
      this.pageColumns = pageColumns;
      this.rest = query.range();
    }

    CompletionStage<Slice> next() {
      // One more than wanted tells whether there are more.
      int limit = Math.min(pageColumns, query.columnsMax() - columns + 1);
      return table
          .select(query.row(), rest, query.order(), limit)
          .thenCompose(page -> take(page, limit));
    }

    private CompletionStage<Slice> take(AsyncResultSet page, int limit) {
      Columns got = unpack(page, query.order());
      boolean ended = got.size() < limit;
      boolean full = columns + got.size() > query.columnsMax();
      if (full) {
        got =
            query.order() == Order.ASCENDING
                ? got.subColumns(0, got.size() - 1)
                : got.subColumns(1, got.size());
      }
      pages.add(got);
      columns += got.size();
      bytes += got.payloadBytes();
      if (ended || full || bytes >= SLICE_BYTES) {
        return CompletableFuture.completedFuture(new Slice(Columns.merge(pages), !ended));
      }
      rest =
          query.order() == Order.ASCENDING
              ? new ColumnRange(got.last().successor(), rest.to())
              : new ColumnRange(rest.from(), got.first());
      return next();
    }
  }

  /** The columns of a page, in ascending order. */
  private static Columns unpack(AsyncResultSet page, Order order) {
    List<Row> rows = new ArrayList<>(page.remaining());
    page.currentPage().forEach(rows::add);
    int bytes = 0;
    for (Row row : rows) {
      bytes = Math.addExact(bytes, payload(row).remaining());
    }
    ColumnsBuilder columns = new ColumnsBuilder(rows.size(), bytes);
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(order == Order.ASCENDING ? i : rows.size() - 1 - i);
      ByteBuffer id = Objects.requireNonNull(row.getBytesUnsafe(0));
      ByteBuffer payload = payload(row);
      int start = payload.arrayOffset() + payload.position();
      columns.add(
          TimeUuid.ticksOfMsb(id.getLong(id.position())),
          id.getLong(id.position() + Long.BYTES),
          payload.array(),
          start,
          start + payload.remaining());
    }
    return columns.build();
  }

  private static ByteBuffer payload(Row row) {
    return Objects.requireNonNull(row.getBytesUnsafe(1));
  }
}
