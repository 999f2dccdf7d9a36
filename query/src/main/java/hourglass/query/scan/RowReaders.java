package hourglass.query.scan;

import hourglass.query.Plan;
import hourglass.query.QueryOptions;
import hourglass.query.encode.RowText;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the merges of a query, each of the rows of one hour, so that what they hold together stays
 * within its buffer.
 *
 * @param options the limits
 * @param fanOut slices under way where rows are as usual; see {@link FanOutPlan}
 * @param bufferBytes payload bytes in the slices of all the walks together
 * @param order of the walks
 * @param projection whether payloads are wanted
 * @param columnsWanted how many columns of one row can be of use; {@code Long.MAX_VALUE}: all
 */
public record RowReaders(
    QueryOptions options,
    int fanOut,
    int bufferBytes,
    Order order,
    Projection projection,
    long columnsWanted) {

  /** Of the first slices of all rows together: enough to begin an answer with. */
  private static final int FIRST_COLUMNS = 1_024;

  private static final int FIRST_COLUMNS_OF_ROW = 64;

  /** Of a row that is open: its walk, and two slices beside what is in them. */
  private static final long OPEN_ROW_BYTES = 1_000;

  /** Whatever share of so many rows is open, it takes little. */
  private static final int FEW_ROWS = 1_000;

  /** With all that one query may have. */
  public RowReaders(QueryOptions options, Order order, Projection projection, long columnsWanted) {
    this(options, options.fanOut(), options.bufferBytes(), order, projection, columnsWanted);
  }

  /**
   * Merges rows of one hour, and asks for the first slices.
   *
   * @param rows sorted, as the directory has them
   * @param window of the query; it is made as wide as the rows call for, if it is not, since it may
   *     be at work for an hour before
   * @param missing takes the rows that cannot be read, which end there; null: one of them fails the
   *     merge
   */
  public RowMerge merge(
      List<RowEntry> rows,
      Function<RowEntry, ColumnRange> range,
      SliceWindow window,
      @Nullable MissingRows missing) {
    FanOutPlan fanOutPlan = FanOutPlan.of(rows, fanOut, bufferBytes, columnsWanted);
    window.widen(fanOutPlan.slices());
    int first = Math.max(FIRST_COLUMNS_OF_ROW, FIRST_COLUMNS / fanOutPlan.rowsOpen());
    return new RowMerge(
        rows,
        row -> reader(row, range.apply(row), first, fanOutPlan, window),
        order,
        projection,
        fanOutPlan.rowsAhead(),
        fanOutPlan.slices(),
        missing);
  }

  private RowReader reader(
      RowEntry row, ColumnRange range, int first, FanOutPlan fanOutPlan, SliceWindow window) {
    SliceQuery query =
        new SliceQuery(row.row(), range, order, sliceColumns(row, fanOutPlan), projection);
    return new RowReader(row, query, first, new RowText(row.row().type()), window, columnsWanted);
  }

  /** What the walks over these rows and their slices hold in memory, at the most. */
  public long heldBytes(List<RowEntry> rows) {
    Plan all = rows.stream().map(Plan::of).reduce(Plan.NOTHING, Plan::plus);
    boolean someOfEach = columnsWanted < all.columns() / Math.max(1, rows.size());
    long columns = someOfEach ? columnsWanted * rows.size() : all.columns();
    long columnBytes =
        projection == Projection.NAMES ? FanOutPlan.NAME_BYTES : FanOutPlan.columnBytes(all);
    return Math.min(bufferBytes, columns * columnBytes) + OPEN_ROW_BYTES * rowsOpen(rows);
  }

  private long rowsOpen(List<RowEntry> rows) {
    return rows.size() <= FEW_ROWS
        ? rows.size()
        : FanOutPlan.of(rows, fanOut, bufferBytes, columnsWanted).rowsOpen();
  }

  private int sliceColumns(RowEntry row, FanOutPlan fanOutPlan) {
    long fitting = fanOutPlan.sliceBytes() / FanOutPlan.columnBytes(Plan.of(row));
    long wanted = Math.min(columnsWanted, options.sliceColumns());
    return (int) Math.max(1, Math.min(fitting, wanted));
  }
}
