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
 * Reads parts of rows, page by page. The longest payload of the row limits the columns of a page,
 * so that pages fit the memory of the node and the client. Thread-safe.
 */
final class RowReader {
  /** Worst-case size of a page. */
  private static final int PAGE_BYTES_MAX = 8 << 20;

  /** Larger pages make a node wait for itself. */
  private static final int PAGE_COLUMNS_MAX = 5_000;

  /** A slice adds pages until it holds this many bytes. */
  private static final int SLICE_BYTES = 2 << 20;

  /** Size of a column in an answer, without its payload. */
  private static final int COLUMN_BYTES = 32;

  private final Tables tables;

  RowReader(Tables tables) {
    this.tables = tables;
  }

  /** A slice of a row, merged from the tables of all its classes. */
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

  /** Passes all columns of a range to a consumer, slice by slice, in ascending order. */
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
      // One extra column shows whether more follow.
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
