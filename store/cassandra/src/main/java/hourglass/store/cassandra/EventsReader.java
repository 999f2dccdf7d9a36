package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnCounter;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.driver.Futures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads parts of rows, page by page. The row's longest payload limits the columns of a page, so
 * that pages fit the memory of the node and the client. Thread-safe.
 */
record EventsReader(Tables tables) {
  /** Worst-case size of a page. */
  private static final int PAGE_BYTES_MAX = 8 << 20;

  /** Larger pages make a node wait for itself. */
  private static final int PAGE_COLUMNS_MAX = 5_000;

  /** A slice adds pages until it holds this many bytes. */
  private static final int SLICE_BYTES = 2 << 20;

  /** Without the payload. */
  private static final int COLUMN_BYTES = 32;

  CompletionStage<Slice> slice(SliceQuery query, Directory.Fact fact) {
    if (query.range().isEmpty()) {
      return CompletableFuture.completedFuture(new Slice(Columns.EMPTY, false));
    }
    int pageColumns =
        Math.max(1, Math.min(PAGE_COLUMNS_MAX, PAGE_BYTES_MAX / (fact.longest() + COLUMN_BYTES)));
    return Futures.all(
            fact.classes().stream()
                .map(
                    retentionClass ->
                        tables
                            .events(retentionClass)
                            .thenCompose(table -> new Read(table, query, pageColumns).next())))
        .thenApply(
            slices -> {
              Slice slice = merge(query, slices);
              return query.projection() == Projection.NAMES
                  ? new Slice(slice.columns().namesOnly(), slice.more())
                  : slice;
            });
  }

  CompletionStage<Void> scan(
      RowKey row, ColumnRange range, Directory.Fact fact, Consumer<Columns> consumer) {
    SliceQuery query =
        new SliceQuery(row, range, Order.ASCENDING, Integer.MAX_VALUE - 1, Projection.COLUMNS);
    return slice(query, fact)
        .thenCompose(
            slice -> {
              if (!slice.columns().isEmpty()) {
                consumer.accept(slice.columns());
              }
              return slice.more()
                  ? scan(row, query.after(slice).range(), fact, consumer)
                  : CompletableFuture.completedFuture(null);
            });
  }

  /**
   * Cassandra 5.0 has no function for the length of a blob. With two payloads of one name, a
   * separate length cell could belong to the other one. Counting therefore reads the payloads.
   */
  CompletionStage<RowCounts> count(CountQuery query, Directory.Fact fact) {
    ColumnCounter counter = new ColumnCounter(query); // used by one thread at a time
    return scan(query.row(), query.range(), fact, counter::add).thenApply(done -> counter.counts());
  }

  /** One slice from one table; used by one thread at a time. */
  private static final class Read {
    private final EventsTable table;
    private final int pageColumns;
    private final List<Columns> pages = new ArrayList<>();

    /** The rest of the query, but with its limit for the whole slice. */
    private SliceQuery query;

    private int columns;
    private long bytes;

    Read(EventsTable table, SliceQuery query, int pageColumns) {
      this.table = table;
      this.query = query;
      this.pageColumns = pageColumns;
    }

    CompletionStage<Slice> next() {
      // One extra column shows whether more follow.
      int limit = Math.min(pageColumns, query.columnsMax() - columns + 1);
      return table
          .select(query.row(), query.range(), query.order(), limit)
          .thenCompose(page -> take(page, limit));
    }

    private CompletionStage<Slice> take(AsyncResultSet page, int limit) {
      boolean ascending = query.order() == Order.ASCENDING;
      Columns got = unpack(page, ascending);
      boolean ended = got.size() < limit;
      boolean full = columns + got.size() > query.columnsMax();
      if (full) {
        got = near(got, got.size() - 1, ascending);
      }
      pages.add(got);
      columns += got.size();
      bytes += got.payloadBytes();
      if (ended || full || bytes >= SLICE_BYTES) {
        return CompletableFuture.completedFuture(new Slice(Columns.merge(pages), !ended));
      }
      query = query.after(new Slice(got, true));
      return next();
    }
  }

  private static Columns unpack(AsyncResultSet page, boolean ascending) {
    List<Row> rows = new ArrayList<>(page.remaining());
    page.currentPage().forEach(rows::add);
    int bytes = 0;
    for (Row row : rows) {
      bytes = Math.addExact(bytes, payload(row).remaining());
    }
    ColumnsBuilder columns = new ColumnsBuilder(rows.size(), bytes);
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(ascending ? i : rows.size() - 1 - i);
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

  /** Joins slices of several tables: the part that all cover, up to the limit of the query. */
  private static Slice merge(SliceQuery query, List<Slice> slices) {
    if (slices.size() == 1) {
      return slices.get(0);
    }
    boolean ascending = query.order() == Order.ASCENDING;
    TimeUuid edge = edge(slices, ascending);
    Columns all = Columns.merge(slices.stream().map(Slice::columns).toList());
    Columns covered = all;
    if (edge != null) {
      covered =
          ascending
              ? all.subColumns(0, all.lowerBound(edge.successor()))
              : all.subColumns(all.lowerBound(edge), all.size());
    }
    int size = Math.min(covered.size(), query.columnsMax());
    return new Slice(near(covered, size, ascending), edge != null || size < all.size());
  }

  private static Columns near(Columns columns, int size, boolean ascending) {
    return ascending
        ? columns.subColumns(0, size)
        : columns.subColumns(columns.size() - size, columns.size());
  }

  /** The nearest end of a slice that did not reach the end of the range; null if all did. */
  private static @Nullable TimeUuid edge(List<Slice> slices, boolean ascending) {
    TimeUuid edge = null;
    for (Slice slice : slices) {
      if (slice.more()) {
        TimeUuid end = ascending ? slice.columns().last() : slice.columns().first();
        if (edge == null || (ascending ? end.compareTo(edge) < 0 : end.compareTo(edge) > 0)) {
          edge = end;
        }
      }
    }
    return edge;
  }
}
