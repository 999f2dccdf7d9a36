package hourglass.store.cassandra.rows;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * A table of the time before packs, such as {@code events_30d}, with a column for each event. It is
 * read and dropped, and never written. Thread-safe.
 */
public final class EventsTable extends RowTable {
  /** A slice adds pages until it holds this many bytes. */
  private static final int SLICE_BYTES = 2 << 20;

  private final Cql cql;
  private final PreparedStatement ascending;
  private final PreparedStatement descending;
  private final PreparedStatement delete;

  private EventsTable(Cql cql, RetentionClass retentionClass, List<PreparedStatement> statements) {
    super(retentionClass);
    this.cql = cql;
    this.ascending = statements.get(0);
    this.descending = statements.get(1);
    this.delete = statements.get(2);
  }

  static CompletionStage<EventsTable> prepare(Cql cql, RetentionClass retentionClass) {
    String table = "%s." + retentionClass.table();
    String select = "SELECT id, payload FROM " + table + " WHERE row = ? AND id >= ? AND id < ?";
    return Futures.all(
            Stream.of(
                    select + " ORDER BY id ASC LIMIT ?",
                    select + " ORDER BY id DESC LIMIT ?",
                    "DELETE FROM " + table + " USING TIMESTAMP ? WHERE row = ?")
                .map(cql::prepareAsync))
        .thenApply(statements -> new EventsTable(cql, retentionClass, statements));
  }

  private CompletionStage<AsyncResultSet> select(SliceQuery query, int limit) {
    return cql.read(
        (query.order() == Order.ASCENDING ? ascending : descending)
            .boundStatementBuilder()
            .setBytesUnsafe(0, key(query.row()))
            .setBytesUnsafe(1, id(query.range().from()))
            .setBytesUnsafe(2, id(query.range().to()))
            .setInt(3, limit)
            .setPageSize(limit)
            .build());
  }

  @Override
  public CompletionStage<Void> delete(RowKey row, int generation) {
    return cql.write(delete.bind(lastWriteMicros(row.hour(), generation), row.toString()));
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query, int longest) {
    return new Read(query, PacksTable.valuesPerPage(longest)).next();
  }

  /** One slice; used by one thread at a time. */
  private final class Read {
    private final int pageColumns;
    private final List<Columns> pages = new ArrayList<>();

    /** The rest of the query, but with its limit for the whole slice. */
    private SliceQuery query;

    private int columns;
    private long bytes;

    Read(SliceQuery query, int pageColumns) {
      this.query = query;
      this.pageColumns = pageColumns;
    }

    CompletionStage<Slice> next() {
      // One extra column shows whether more follow.
      int limit = (int) Math.min(pageColumns, query.columnsMax() - columns + 1L);
      return select(query, limit).thenCompose(page -> take(page, limit));
    }

    private CompletionStage<Slice> take(AsyncResultSet page, int limit) {
      Columns got = unpack(page, query.order());
      boolean ended = got.size() < limit;
      boolean full = columns + got.size() > query.columnsMax();
      if (full) {
        got = got.nearest(got.size() - 1, query.order());
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
      TimeUuid name = name(Objects.requireNonNull(row.getBytesUnsafe(0)));
      ByteBuffer payload = payload(row);
      int start = payload.arrayOffset() + payload.position();
      columns.add(name.ticks(), name.lsb(), payload.array(), start, start + payload.remaining());
    }
    return columns.build();
  }

  private static ByteBuffer payload(Row row) {
    return Objects.requireNonNull(row.getBytesUnsafe(1));
  }
}
